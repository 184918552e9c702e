import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
// Import single files: the package's index adds 400 KB of surnames and encyclopedia words.
import commonWords from '@zxcvbn-ts/language-en/dist/commonWords.json.mjs'
import firstNames from '@zxcvbn-ts/language-en/dist/firstnames.json.mjs'
import translations from '@zxcvbn-ts/language-en/dist/translations.mjs'

const zxcvbn = new ZxcvbnFactory({
  dictionary: { ...dictionary, 'commonWords-en': commonWords, 'firstnames-en': firstNames },
  graphs: adjacencyGraphs,
  translations,
})

export function estimate(password: string, about: string[]) {
  return zxcvbn.check(password, [...about, 'privity'])
}
