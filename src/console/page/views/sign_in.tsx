/**
 * Asks for the operator's credential.
 *
 * @module
 */

import { useId, useState } from "preact/hooks";
import { type AuthScheme, type Credential, credentialHeaders } from "../data/credential.ts";
import { useSpeech } from "./speech.ts";

/** What is asked for, and where it goes. */
export interface SignInProps {
  readonly scheme: AuthScheme;
  /** Whether the one before was wrong. */
  readonly rejected: boolean;
  readonly onCredential: (credential: Credential) => void;
}

/** See the module. Nothing here is a form's target: what is typed goes to {@link SignInProps.onCredential}. */
export function SignIn({ scheme, rejected, onCredential }: SignInProps) {
  const speech = useSpeech();
  const [username, setUsername] = useState("");
  const [secret, setSecret] = useState("");
  const [unsendable, setUnsendable] = useState(false);
  const id = useId();
  const fault = unsendable
    ? speech.text("signIn.unsendable")
    : rejected
    ? speech.text("signIn.rejected")
    : "";
  const submit = (event: Event) => {
    event.preventDefault();
    const credential = { scheme, username, secret };
    try {
      credentialHeaders(credential);
    } catch {
      return setUnsendable(true);
    }
    setUnsendable(false);
    setSecret("");
    onCredential(credential);
  };
  return (
    <form class="card" onSubmit={submit}>
      <h2>{speech.text("signIn.title")}</h2>
      <p>{speech.text("signIn.text")}</p>
      {fault !== "" && <p role="alert" class="fault">{fault}</p>}
      {scheme === "basic" && (
        <p>
          <label for={`${id}-name`}>{speech.text("signIn.username")}</label>
          <input
            id={`${id}-name`}
            required
            autocomplete="off"
            value={username}
            onInput={(event) => setUsername(event.currentTarget.value)}
          />
        </p>
      )}
      <p>
        <label for={`${id}-secret`}>
          {speech.text(scheme === "basic" ? "signIn.password" : `signIn.${scheme}`)}
        </label>
        <input
          id={`${id}-secret`}
          type="password"
          required
          autocomplete="off"
          value={secret}
          onInput={(event) => setSecret(event.currentTarget.value)}
        />
      </p>
      <button type="submit" class="primary">{speech.text("signIn.submit")}</button>
    </form>
  );
}
