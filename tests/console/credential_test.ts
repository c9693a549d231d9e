import assert from "node:assert/strict";
import { credentialHeaders, schemeOf } from "../../src/console/page/data/credential.ts";

Deno.test.each(
  [
    ['Bearer realm="admin"', "bearer_token"],
    ['Basic realm="admin", charset="UTF-8"', "basic"],
    ['ApiKey realm="admin"', "api_key"],
    [" basic", "basic"],
    ["", "bearer_token"],
    [null, "bearer_token"],
  ] as const,
)("schemeOf(%j) is %s", (challenge, scheme) => assert.equal(schemeOf(challenge), scheme));

Deno.test("credentialHeaders() presents each kind as the admin routes read it", () => {
  assert.deepEqual(credentialHeaders(null), {});
  assert.deepEqual(credentialHeaders({ scheme: "bearer_token", secret: "t" }), {
    authorization: "Bearer t",
  });
  assert.deepEqual(credentialHeaders({ scheme: "api_key", secret: "k" }), { "x-api-key": "k" });
  const { authorization = "" } = credentialHeaders({
    scheme: "basic",
    username: "운영자",
    secret: "pä:ss",
  });
  const bytes = Uint8Array.fromBase64(authorization.replace("Basic ", ""));
  assert.equal(new TextDecoder().decode(bytes), "운영자:pä:ss");
});

Deno.test.each(["bearer_token", "api_key"] as const)(
  "credentialHeaders() refuses a %s that no header carries",
  (scheme) => {
    for (const secret of ["비밀", "a\nb", "a\u0000"]) {
      assert.throws(() => credentialHeaders({ scheme, secret }), TypeError);
    }
  },
);
