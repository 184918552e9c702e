import { lifetime } from '../../i18n/retention.ts'

export const landingTexts = {
  title: 'Private messaging and file sharing for two',
  signIn: 'Sign In',
  getStarted: 'Get Started',
  signUp: 'Sign Up Free',
  account: 'Account',
  headline: 'Strictly between the two of you.',
  lead: `One-to-one messages and files for law enforcement, legal, medical and corporate professionals. Messages disappear after ${lifetime.en}, and a file opens only with its sender’s approval.`,
  codeAtOnce: 'Your code is issued at once and never expires.',
  definition: {
    word: 'privity',
    kind: 'noun, law',
    meaning: 'A private relationship between two parties that the law recognizes, and that no third party can claim.',
  },
  features: 'Features',
  code: {
    letters: ['KTR', 'MVX'],
    digits: '482',
    spoken: 'K T R, M V X, 4 8 2',
    spelt: 'Kilo Tango Romeo, Mike Victor X-ray, four eight two',
    title: 'A code of your own',
    text: 'Your connection code never expires, and is easy to read down a phone line. Anyone who enters it is connected to you, and to nobody else.',
  },
  messages: {
    question: 'Is the witness still available Friday?',
    answer: 'Yes, from ten.',
    expiry: 'disappears in 3 h',
    title: 'Conversations that end',
    text: `Every message is deleted ${lifetime.en} after it is sent, on both sides. The connection stays; the record does not.`,
  },
  files: {
    type: 'PDF',
    name: 'lab-report-0417.pdf',
    left: '2 of 3 downloads left',
    title: 'Files on your terms',
    text: 'Recipients request, you decide. An approval allows three downloads and then closes again. Every request is logged.',
  },
  security: {
    title: 'What we cannot read, we cannot hand over.',
    blurbs: [
      {
        term: 'End-to-end encryption',
        text: 'Text and files are encrypted on the sending device and decrypted only on the devices of the two of you.',
      },
      {
        term: '256-bit encryption',
        text: 'Each pair of people has its own keys, and a safety number to compare so that you know who holds them.',
      },
      {
        term: 'Zero knowledge',
        text: `No password and no usable key reaches our servers. They see who writes to whom and when. Messages and files they store encrypted, for ${lifetime.en}, without a key to decrypt them.`,
      },
    ],
  },
  noscript: 'Signing in needs JavaScript: Privity encrypts in your browser. Allow it for this site, then reload.',
  closing: 'Get your code.',
  version: (version: string) => `Privity ${version}`,
}
