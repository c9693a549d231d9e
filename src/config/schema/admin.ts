/**
 * The sections `admin` and `console` (spec §12).
 *
 * @module
 */

import { bindAddresses } from "./conversions.ts";
import { section, withDefault } from "./field.ts";
import { credentialOrNone } from "./texts.ts";
import { flag, oneOf, text } from "./values.ts";

const username = text('a user name without ":", or "" for none', (value) => {
  if (value.length > 256) return "a string of more than 256 characters";
  if (value.includes(":")) return 'a string with ":"';
  return /^[\x20-\x7e]*$/.test(value) ? undefined : "";
});

/** Passwords may hold spaces and letters of any script: Basic encodes them. */
const password = text('a password of one line, or "" for none', (value) => {
  if (value.length > 4096) return "a string of more than 4096 characters";
  return /\p{Cc}/u.test(value) ? "a string with a control character" : undefined;
});

const auth = section({
  method: withDefault(oneOf(["none", "bearer_token", "basic", "api_key"]), "none", {
    description: "none allows only direct callers from this machine; the others any caller with " +
      "the credential.",
  }),
  token: withDefault(credentialOrNone, "", {
    description: "The credential of method bearer_token.",
    secret: true,
  }),
  username: withDefault(username, "", { description: "The user name of method basic." }),
  password: withDefault(password, "", {
    description: "The password of method basic.",
    secret: true,
  }),
  api_key: withDefault(credentialOrNone, "", {
    description: "The credential of method api_key, sent as X-API-Key.",
    secret: true,
  }),
}, { description: "Who may use /admin." });

/** The section `admin`. */
export const admin = section({
  bind_address: withDefault(bindAddresses({ emptyAllowed: true }), "", {
    description: "Own listener for /admin, /metrics and /console. Empty = the main one.",
    reload: "restart",
  }),
  auth,
}, { description: "The admin routes.", reload: "immediate" });

/** The section `console`. */
export const console = section({
  enabled: withDefault(flag(), false, {
    description: "Serves the web page at /console, whose data needs admin auth.",
  }),
}, { description: "The web page.", reload: "restart" });
