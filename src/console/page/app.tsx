/**
 * The page: its head, the choice of a view, and the view.
 *
 * @module
 */

import { useEffect, useMemo, useState } from "preact/hooks";
import type { Operator } from "./data/operator.ts";
import { formatSpan, type Language, LANGUAGES, Speech } from "./i18n/language.ts";
import type { TalkClient } from "./talk/talk_client.ts";
import { Overview } from "./views/overview.tsx";
import { SpeechContext } from "./views/speech.ts";
import { Talk } from "./views/talk.tsx";
import { useStore } from "./views/use_store.ts";
import { useView, type View, VIEWS } from "./views/use_view.ts";

/** What the page is made with. */
export interface AppProps {
  readonly operator: Operator;
  readonly talk: TalkClient;
  readonly language: Language;
}

/** See the module. */
export function App({ operator, talk, language: first }: AppProps) {
  const [language, setLanguage] = useState(first);
  const speech = useMemo(() => new Speech(language), [language]);
  const view = useView();
  const { link, statistics } = useStore(operator.store);
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = speech.text("app.title");
  }, [speech]);
  return (
    <SpeechContext.Provider value={speech}>
      <a class="skip" href="#main">{speech.text("app.skip")}</a>
      <header>
        <h1>{speech.text("app.title")}</h1>
        <nav aria-label={speech.text("nav.label")}>
          {VIEWS.map((name: View) => (
            <a key={name} href={`#${name}`} {...name === view ? { "aria-current": "page" } : {}}>
              {speech.text(`nav.${name}`)}
            </a>
          ))}
        </nav>
        <p class={`link ${link.kind}`} role="status">{speech.text(`link.${link.kind}`)}</p>
        {statistics !== null && (
          <p class="uptime">
            {speech.text("app.uptime", { time: formatSpan(statistics.uptime_seconds) })}
          </p>
        )}
        <label class="language">
          <span class="hidden">{speech.text("language.label")}</span>
          <select
            value={language}
            onChange={(event) => setLanguage(event.currentTarget.value as Language)}
          >
            {Object.entries(LANGUAGES).map(([tag, { name }]) => (
              <option key={tag} value={tag} lang={tag}>{name}</option>
            ))}
          </select>
        </label>
        {operator.signedIn && link.kind !== "locked" && (
          <button
            type="button"
            class="small"
            onClick={() => operator.signOut()}
          >
            {speech.text("signIn.out")}
          </button>
        )}
      </header>
      <main id="main" tabIndex={-1}>
        {view === "talk" ? <Talk client={talk} /> : <Overview operator={operator} />}
      </main>
    </SpeechContext.Provider>
  );
}
