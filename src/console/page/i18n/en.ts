/**
 * The page's texts in English. Words in braces are replaced.
 *
 * @module
 */

/** See the module. Other languages have the same keys. */
export const en = {
  "app.title": "realtime-router console",
  "app.skip": "Skip to the content",
  "app.uptime": "up {time}",
  "nav.label": "Views",
  "nav.overview": "Overview",
  "nav.talk": "Talk",
  "language.label": "Language",

  "link.connecting": "Connecting",
  "link.live": "Live",
  "link.waiting": "Connection lost, trying again",
  "link.locked": "Signed out",
  "link.forbidden": "Not allowed",

  "signIn.title": "Credential needed",
  "signIn.text":
    "The router asks for the credential of admin.auth. It is kept in the memory of this page only, and is gone when you reload or close it.",
  "signIn.bearer_token": "Token",
  "signIn.api_key": "API key",
  "signIn.username": "User name",
  "signIn.password": "Password",
  "signIn.submit": "Sign in",
  "signIn.rejected": "The router did not accept this credential.",
  "signIn.unsendable": "This credential has characters that a browser cannot send.",
  "signIn.out": "Sign out",

  "forbidden.title": "The router does not let this page in",
  "forbidden.admin_not_allowed":
    "Without a credential the admin routes answer only direct requests from the router's own machine to localhost. Open the page there, or set admin.auth in the configuration.",
  "forbidden.again": "Try again",

  "figures.title": "Now",
  "figures.active": "Running sessions",
  "figures.ended": "Sessions ended",
  "figures.refused": "Upgrades refused",
  "figures.requests": "Responses and requests",
  "figures.errors": "{count} with an error",
  "figures.tokensIn": "Tokens in",
  "figures.cached": "and {count} from a cache",
  "figures.tokensOut": "Tokens out",
  "figures.latency": "Latency, median",
  "figures.p95": "95 %: {time}",

  "plots.title": "Over time",
  "plots.sessions": "Sessions",
  "plots.tokens": "Tokens a second",
  "plots.latency": "Latency",
  "plots.running": "running",
  "plots.endedRate": "ended a second",
  "plots.refusedRate": "refused a second",
  "plots.input": "input",
  "plots.cached": "input, cached",
  "plots.output": "output",
  "plots.p50": "median",
  "plots.p95": "95 %",
  "plots.waiting": "Figures come with the second sample.",
  "plots.latencyNote": "of the last 1,000 usage records",

  "backends.title": "Backends",
  "backends.none": "No backend is configured.",
  "backends.name": "Name",
  "backends.health": "Health",
  "backends.circuit": "Circuit",
  "backends.sessions": "Sessions",
  "backends.latency": "Connect, average",
  "backends.models": "Models",
  "backends.lastError": "Last error",
  "backends.retry": "tries again in {time}",
  "backends.reset": "Close circuit",
  "backends.resetTitle": "Close the circuit of {name}?",
  "backends.resetText":
    "Sessions and requests go to this backend again at once, and its counted failures are forgotten.",

  "sessions.title": "Running sessions",
  "sessions.none": "No session is running.",
  "sessions.more": "The newest {shown} of {count} are shown.",
  "sessions.id": "Id",
  "sessions.model": "Model",
  "sessions.backend": "Backend",
  "sessions.key": "Key",
  "sessions.client": "Client",
  "sessions.age": "Age",
  "sessions.state": "State",
  "sessions.fromClient": "From client",
  "sessions.fromBackend": "From backend",
  "sessions.anonymous": "anonymous",
  "sessions.traffic": "{messages} in {bytes}",
  "sessions.action": "Action",
  "sessions.end": "End",
  "sessions.endLabel": "End session {id}",
  "sessions.endTitle": "End this session?",
  "sessions.endText":
    "Session {id} ({model}) is ended at once. Both sides get close code 1001, “closed by operator”.",
  "sessions.endConfirm": "End session",
  "sessions.endDone": "Session {id} is being ended.",

  "ended.title": "Ended lately",
  "ended.none": "No session has ended while this page was open.",
  "ended.outcome": "Outcome",
  "ended.duration": "Duration",
  "ended.records": "Usage records",

  "outcomes.title": "Session outcomes",
  "outcomes.none": "No session has ended yet.",
  "outcomes.outcome": "Outcome",
  "outcomes.count": "Sessions",
  "refusals.title": "Refused upgrades",
  "refusals.none": "No upgrade was refused.",
  "refusals.code": "Code",
  "refusals.count": "Times",
  "responses.title": "Response outcomes",
  "responses.count": "Records",
  "responses.none": "No usage record yet.",

  "usage.title": "Usage records",
  "usage.none": "No usage record yet.",
  "usage.time": "Time",
  "usage.input": "Input",
  "usage.cached": "Cached",
  "usage.output": "Output",
  "usage.latency": "Latency",
  "usage.outcome": "Outcome",
  "usage.endpoint": "Endpoint",
  "usage.dropped": "{count} events were lost, because this page did not keep up.",

  "dialog.cancel": "Cancel",
  "dialog.failed": "That did not work: {reason}",

  "table.scroll": "{title}, table",
} as const satisfies Readonly<Record<string, string>>;

/** The name of a text. */
export type TextKey = keyof typeof en;

/** All texts of a language. */
export type Texts = Readonly<Record<TextKey, string>>;
