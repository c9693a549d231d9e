/**
 * What the microphone hears, as PCM16.
 *
 * @module
 */

/** An open microphone. */
export interface Microphone {
  /** Lets go of it. Idempotent. */
  close(): void;
}

/** Why there may be none: browsers offer it to pages from `https` or from this machine only. */
export function hasMicrophone(): boolean {
  return isSecureContext && navigator.mediaDevices !== undefined;
}

/**
 * Opens the microphone. The browser asks the person.
 *
 * @param onPiece Gets 100 ms of PCM16 each.
 * @throws {DOMException} When the person says no, or there is none.
 */
export async function openMicrophone(
  onPiece: (pcm: Uint8Array<ArrayBuffer>) => void,
): Promise<Microphone> {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  });
  const context = new AudioContext();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    if (context.state !== "closed") void context.close();
  };
  try {
    await context.audioWorklet.addModule("/console/microphone.js");
  } catch (error) {
    close();
    throw error;
  }
  const node = new AudioWorkletNode(context, "microphone", { numberOfOutputs: 0 });
  node.port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => onPiece(new Uint8Array(data));
  context.createMediaStreamSource(stream).connect(node);
  return { close };
}
