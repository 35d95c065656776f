// The most bytes that a `chunk` frame needs around its text. Code that cuts text into frames leaves room for it.
export const FRAME_ENVELOPE_BYTES = 512
