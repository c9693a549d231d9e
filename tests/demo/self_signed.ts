/**
 * A certificate for 127.0.0.1 that lives as long as a test.
 *
 * @module
 */

// Has to be there before @peculiar/x509 is.
import "reflect-metadata";
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import { Buffer } from "node:buffer";

/** A certificate and its private key, in PEM. */
export interface SelfSigned {
  readonly cert: string;
  readonly key: string;
}

/** Makes a certificate that signs itself. */
export async function selfSigned(): Promise<SelfSigned> {
  const signingAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "CN=127.0.0.1",
    keys,
    signingAlgorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
  });
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  const lines = pkcs8.toString("base64").replaceAll(/(.{64})/g, "$1\n");
  return {
    cert: certificate.toString("pem"),
    key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n`,
  };
}
