// A client chooses the request id of a frame, and may put anything into it. Log lines get it only in the form of an id, so that
// no name or message of a person is logged.

const ID = /^[\w.:-]{1,64}$/

export function loggedRequestId(requestId: string | undefined): string | undefined {
  return requestId !== undefined && ID.test(requestId) ? requestId : undefined
}
