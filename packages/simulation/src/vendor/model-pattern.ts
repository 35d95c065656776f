// The models that a fault or a scripted answer is meant for.

export function asPattern(glob: string): RegExp {
  const literal = (part: string) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`^${glob.split('*').map(literal).join('.*')}$`)
}
