// What a store that cannot be reached throws, whichever technology it is. At the edge it becomes MAINTENANCE: nothing is wrong with
// the request, and the same one will be served soon.

export class StoreUnavailable extends Error {}
