// Whose token it is, read without verification: it only decides whether the person at the page has changed. Pure.

/** Null for no token; the token itself when it cannot be read. */
export function tokenSubject(token: string | null): string | null {
  if (token === null) return null
  try {
    const payload = token.split('.')[1] ?? ''
    const { iss, sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>
    return typeof sub === 'string' ? JSON.stringify([iss, sub]) : token
  } catch {
    return token
  }
}
