/**
 * The sockets below the built-ins: the edge in front of the HTTP server, the dialer behind the native
 * WebSocket client, and what both know of frames.
 *
 * @module
 */

export type { TlsIdentity } from "./acceptor.ts";
export type { DialTarget } from "./backend_handshake.ts";
export {
  type CloseFrame,
  EMPTY_CLOSE,
  encodeCloseFrame,
  isWireCloseCode,
  MAX_REASON_BYTES,
} from "./close_frame.ts";
export { DialFailure, type DialFailureKind } from "./dial_failure.ts";
export {
  type Dial,
  Dialer,
  type DialerOptions,
  type DialerTransport,
  PLACEHOLDER,
} from "./dialer.ts";
export { Edge, type EdgeOptions, ListenError } from "./edge.ts";
export { EdgeConnection } from "./edge_connection.ts";
export type { EdgeRefusal, EdgeRefusalCode, RenderRefusal } from "./edge_refusal.ts";
export { FrameScanner, type FrameScannerOptions, type Violation } from "./frame_scanner.ts";
export { hasToken } from "./request_head.ts";
export {
  fixedSocketPaths,
  type InnerSocketName,
  RuntimeDirError,
  type RuntimeFolder,
} from "./runtime_dir.ts";
export type { ByteStream, PeerAddress, StreamEnd } from "./stream.ts";
export { type LegEnd, WireLeg } from "./wire_leg.ts";
