// Separate from the calls, so that a form can check a code without loading zod.

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const digits = '23456789'
export const codeAlphabet = { letters, digits } as const

/** Longest code that a form takes, in characters. */
export const maxCodeLength = 64

/** Returns a typed code (any case, spaces or hyphens) as ABC-DEF-123, or undefined. */
export function normaliseCode(typed: string): string | undefined {
  const bare = typed.toUpperCase().replace(/[\s-]/g, '')
  const form = new RegExp(`^[${letters}]{6}[${digits}]{3}$`)
  return form.test(bare) ? `${bare.slice(0, 3)}-${bare.slice(3, 6)}-${bare.slice(6)}` : undefined
}
