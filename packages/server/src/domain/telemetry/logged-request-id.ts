// A client chooses the request id of a frame, and may send one in `X-Request-Id`; it may put anything into either. We use it only in
// the form of an id, so that no name or message of a person is logged, or sent back in a header.

const ID = /^[\w.:-]{1,64}$/

export function loggedRequestId(requestId: string | readonly string[] | undefined): string | undefined {
  return typeof requestId === 'string' && ID.test(requestId) ? requestId : undefined
}
