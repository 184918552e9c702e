import { toBase64url } from '../encoding/base64url.ts'
import { type Bytes, randomBytes } from '../encoding/bytes.ts'
import { encode } from '../encoding/canonical.ts'
import { deriveBytes, deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'
import { E2eeError } from '../errors.ts'
import { sha256 } from '../primitives/hash.ts'

/** Crockford's base32: no I, L, O or U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const groups = 13
const dataPerGroup = 4
const perGroup = dataPerGroup + 1

/** Doubling in GF(32), polynomial x^5 + x^2 + 1. */
const double = (value: number) => (value & 16 ? (value << 1) ^ 0b100101 : value << 1)

/** The check symbol of a group. It detects one wrong character, two swapped ones, and groups in the wrong order. */
function checkOf(symbols: readonly number[], group: number): number {
  return symbols.reduce((sum, symbol) => double(sum ^ symbol), group + 1)
}

/** The key's 256 bits and the first 4 bits of its hash make 52 symbols of 5 bits. */
function symbolsOf(key: Bytes): number[] {
  const spare = (sha256(encode('recovery-check', [key]))[0] as number) >> 4
  const symbols: number[] = []
  let bits = 0
  let held = 0
  for (const byte of key) {
    bits = (bits << 8) | byte
    held += 8
    while (held >= 5) {
      held -= 5
      symbols.push((bits >> held) & 31)
    }
    bits &= (1 << held) - 1
  }
  symbols.push(((bits << 4) | spare) & 31)
  return symbols
}

/** 13 groups of 5 characters: 256 bits, a check character in each group, and 4 bits over the whole. */
export function createRecoveryKey(): { text: string } {
  const symbols = symbolsOf(randomBytes(32))
  const parts = Array.from({ length: groups }, (_, group) => {
    const data = symbols.slice(group * dataPerGroup, (group + 1) * dataPerGroup)
    return [...data, checkOf(data, group)].map((symbol) => alphabet[symbol]).join('')
  })
  return { text: parts.join('-') }
}

/** Reads the typed symbols: any case, any spacing; O is read as 0, I and L as 1. */
function readSymbols(text: string): number[] {
  const bare = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{Pd}_.,:;]/gu, '')
  const read = bare.replaceAll('O', '0').replace(/[IL]/g, '1')
  const symbols = Array.from(read, (character) => alphabet.indexOf(character))
  const wrong = symbols.indexOf(-1)
  if (wrong >= 0) throw wrongGroup(Math.floor(wrong / perGroup))
  if (symbols.length !== groups * perGroup) {
    const message = `An account recovery key has ${groups * perGroup} characters; this has ${symbols.length}.`
    throw new E2eeError('MALFORMED', message)
  }
  return symbols
}

const wrongGroup = (group: number) =>
  new E2eeError('MALFORMED', `Group ${group + 1} of the recovery key is not right.`, { group: group + 1 })

function readRecoveryKey(text: string): Bytes {
  const typed = readSymbols(text)
  const symbols: number[] = []
  for (let group = 0; group < groups; group++) {
    const data = typed.slice(group * perGroup, group * perGroup + dataPerGroup)
    if (checkOf(data, group) !== typed[group * perGroup + dataPerGroup]) throw wrongGroup(group)
    symbols.push(...data)
  }
  const key = new Uint8Array(32)
  let bits = 0
  let held = 0
  let index = 0
  for (const symbol of symbols) {
    bits = ((bits << 5) | symbol) & 0xfff
    held += 5
    if (held >= 8 && index < 32) {
      held -= 8
      key[index++] = bits >> held
    }
  }
  const canonical = symbolsOf(key)
  if (canonical.some((symbol, i) => symbol !== symbols[i])) {
    throw new E2eeError('MALFORMED', 'The recovery key is not right.')
  }
  return key
}

/** Throws MALFORMED; its `group` names the first wrong group where one can be named. */
export async function deriveRecovery(text: string): Promise<{ proof: string; wrapKey: CryptoKey }> {
  const secret = await importSecret(readRecoveryKey(text))
  const [proof, wrapKey] = await Promise.all([
    deriveBytes(secret, deriveInfo('recovery-proof')),
    deriveSealingKey(secret, deriveInfo('recovery-wrap')),
  ])
  return { proof: toBase64url(proof), wrapKey }
}

/** The private key of the recovery key's own pair. Throws MALFORMED. */
export const deriveRecoverySeed = async (text: string): Promise<Bytes> =>
  deriveBytes(await importSecret(readRecoveryKey(text)), deriveInfo('recovery-pair'))
