/**
 * Starts the page.
 *
 * @module
 */

import { render } from "preact";
import { App } from "./app.tsx";
import { AdminApi } from "./data/admin_api.ts";
import { Operator } from "./data/operator.ts";
import { chooseLanguage } from "./i18n/language.ts";
import { TalkClient } from "./talk/talk_client.ts";

const place = document.getElementById("console");
if (place !== null) {
  const api = new AdminApi((input, init) => fetch(input, init));
  const operator = new Operator(api, { isVisible: () => !document.hidden });
  const talk = new TalkClient(location.origin);
  const language = chooseLanguage(navigator.languages);
  render(<App operator={operator} talk={talk} language={language} />, place);
  operator.start();
}
