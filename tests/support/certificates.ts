/**
 * Certificates that live as long as a test run: an authority of its own, and what it issues.
 *
 * @module
 */

// The library looks for it as soon as it is loaded.
import "reflect-metadata";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { isIP } from "node:net";

/** A certificate and its private key, both PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

/** What an authority certifies. */
export interface IssueOptions {
  /** Host names and IP addresses that the certificate is good for; the first is its subject. */
  readonly names: readonly string[];
  /** @default an hour ago */
  readonly notBefore?: Date;
  /** @default in a day */
  readonly notAfter?: Date;
}

/** A certificate authority that nobody trusts by default. */
export interface Authority {
  /** Its own certificate, for trust stores. */
  readonly caPem: string;
  /** Makes a server certificate. */
  issue(options: IssueOptions): Promise<Identity>;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const HOUR_MS = 3_600_000;
const LINE_OF_PEM = /.{1,64}/g;

/** Makes an authority. Needs no permission. */
export async function makeAuthority(): Promise<Authority> {
  const keys = await generateKeys();
  const authority = await X509CertificateGenerator.createSelfSigned({
    name: "CN=realtime-router test authority",
    ...validity({}),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return {
    caPem: authority.toString("pem"),
    async issue(options) {
      const { publicKey, privateKey } = await generateKeys();
      const certificate = await X509CertificateGenerator.create({
        subject: `CN=${options.names[0]}`,
        issuer: authority.subject,
        ...validity(options),
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new SubjectAlternativeNameExtension(options.names.map(generalName)),
          // Strict verifiers, as Python's is since 3.13, ask for it (RFC 5280 §4.2.1.1).
          await AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ],
      });
      return { cert: certificate.toString("pem"), key: await toPem(privateKey) };
    },
  };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

function generalName(value: string): { readonly type: "dns" | "ip"; readonly value: string } {
  return { type: isIP(value) === 0 ? "dns" : "ip", value };
}

function validity({ notBefore, notAfter }: Pick<IssueOptions, "notBefore" | "notAfter">) {
  const nowMs = Date.now();
  return {
    notBefore: notBefore ?? new Date(nowMs - HOUR_MS),
    notAfter: notAfter ?? new Date(nowMs + 24 * HOUR_MS),
  };
}

async function toPem(key: CryptoKey): Promise<string> {
  const der = new Uint8Array(await crypto.subtle.exportKey("pkcs8", key));
  const lines = der.toBase64().match(LINE_OF_PEM) ?? [];
  return ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
}
