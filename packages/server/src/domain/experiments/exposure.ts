// The arm of an experiment that a turn was answered with.

export interface Exposure {
  readonly experiment: string
  readonly arm: string
}
