// What a `chunk` frame needs around its text, at most. Whoever cuts text into frames leaves room for it.
export const FRAME_ENVELOPE_BYTES = 512
