import { describe, expect, test } from 'vitest'
import { E2eeError } from '../../src/errors.ts'
import { createRecoveryKey, deriveRecovery } from '../../src/keys/recoveryKey.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

async function refused(text: string): Promise<E2eeError> {
  const outcome = await deriveRecovery(text).catch((error: unknown) => error)
  if (outcome instanceof E2eeError) return outcome
  throw new Error(`accepted: ${text}`)
}

/** Changes one character of a group (1-based). */
function spoil(text: string, group: number, at: number, to: (symbol: string) => string): string {
  const groups = text.split('-')
  const old = groups[group - 1] as string
  groups[group - 1] = old.slice(0, at) + to(old[at] as string) + old.slice(at + 1)
  return groups.join('-')
}

describe('the recovery key', () => {
  const { text } = createRecoveryKey()

  test('is 13 groups of five characters without look-alikes, another each time', () => {
    expect(text).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){12}[0-9A-HJKMNP-TV-Z]{5}$/)
    expect(new Set(Array.from({ length: 50 }, () => createRecoveryKey().text)).size).toBe(50)
  })

  test('is read in any case and spacing, with look-alikes', async () => {
    const { proof } = await deriveRecovery(text)
    expect(proof).toMatch(/^[A-Za-z0-9_-]{43}$/)
    const lookAlikes = text.replaceAll('0', 'O').replaceAll('1', 'I')
    const others = [lookAlikes, lookAlikes.toLowerCase(), text.replaceAll('1', 'l')]
    const spaced = [text.replaceAll('-', ' '), text.replaceAll('-', ''), `\n ${text.replaceAll('-', ' – ')} \t`]
    for (const typed of [text.toLowerCase(), ...others, ...spaced, text.split('').join(' ')]) {
      expect((await deriveRecovery(typed)).proof, typed).toBe(proof)
    }
  })

  test('gives a proof and a wrapping key that differ from another key’s', async () => {
    const [one, other] = [await deriveRecovery(text), await deriveRecovery(createRecoveryKey().text)]
    expect(one.proof).not.toBe(other.proof)
    expect(one.wrapKey.extractable).toBe(false)
  })

  test('tells which group has a wrong character, for every character and every mistake', async () => {
    for (let group = 1; group <= 13; group++) {
      for (let at = 0; at < 5; at++) {
        for (let step = 1; step < 32; step++) {
          const wrong = spoil(text, group, at, (symbol) => alphabet[(alphabet.indexOf(symbol) + step) % 32] as string)
          expect(await refused(wrong)).toMatchObject({ code: 'MALFORMED', group })
        }
      }
    }
  })

  test('tells which group has two characters swapped, or a character that is none', async () => {
    for (let group = 1; group <= 13; group++) {
      for (let at = 0; at < 4; at++) {
        const groups = text.split('-')
        const [a, b] = [(groups[group - 1] as string)[at] as string, (groups[group - 1] as string)[at + 1] as string]
        const swapped = spoil(
          spoil(text, group, at, () => b),
          group,
          at + 1,
          () => a,
        )
        if (a !== b) expect(await refused(swapped)).toMatchObject({ code: 'MALFORMED', group })
      }
      expect(await refused(spoil(text, group, 2, () => 'U'))).toMatchObject({ code: 'MALFORMED', group })
    }
  })

  test('refuses groups in another order', async () => {
    const groups = text.split('-')
    for (let at = 0; at < 12; at++) {
      const swapped = groups.with(at, groups[at + 1] as string).with(at + 1, groups[at] as string)
      if (groups[at] !== groups[at + 1]) expect((await refused(swapped.join('-'))).group).toBe(at + 1)
    }
  })

  test('says how many characters are missing or too many', async () => {
    expect((await refused(text.slice(0, -1))).message).toContain('64')
    expect((await refused(`${text}0`)).message).toContain('66')
    expect((await refused('')).code).toBe('MALFORMED')
  })

  test('does not take most keys whose groups are each right but do not belong together', async () => {
    // 12 groups of one key and the last of another: only the 4 bits over the whole can tell.
    let noticed = 0
    for (let attempt = 0; attempt < 200; attempt++) {
      const mixed = [...createRecoveryKey().text.split('-').slice(0, 12), text.split('-')[12]].join('-')
      const outcome = await deriveRecovery(mixed).catch((error: unknown) => error)
      if (outcome instanceof E2eeError) {
        expect(outcome.group).toBeUndefined()
        noticed++
      }
    }
    expect(noticed).toBeGreaterThan(150)
  })
})
