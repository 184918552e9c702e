import { lifetime } from '../../i18n/retention.ts'

export const aboutTexts = {
  title: 'About',
  lead: 'What Privity is, who it is for, and what it promises.',
  product: {
    title: 'Privity',
    lead: 'Private messaging and file sharing for two.',
    text: 'Privity carries messages and files between two people who have connected with each other, and nobody else. The word is a legal one: a private relationship between two parties.',
    version: 'Version',
    licence: 'License',
    server: 'Server version',
  },
  features: {
    title: 'Features',
    list: [
      {
        title: 'Connection codes that never expire',
        text: 'Anyone who enters yours is connected to you, and to nobody else.',
      },
      {
        title: 'Messages that disappear',
        text: `Deleted on both sides ${lifetime.en} after they were sent, or earlier.`,
      },
      { title: 'Downloads by approval', text: 'The sender decides; an approval allows 3 downloads.' },
      { title: 'Safety numbers', text: 'Two people can check that nobody stands between them.' },
    ],
  },
  audiences: {
    title: 'Who it is for',
    list: ['Law enforcement', 'Legal', 'Medical', 'Corporate'],
  },
  compliance: {
    title: 'Compliance',
    lead: 'What the software does. It has not been certified by anyone.',
    list: [
      {
        badge: 'End-to-end encrypted',
        text: 'Messages and files are encrypted in the browser, with 256-bit keys.',
      },
      {
        badge: 'Zero knowledge',
        text: 'No password and no usable key reaches the server. It does see who writes to whom.',
      },
      {
        badge: `Deleted after ${lifetime.en}`,
        text: 'Expired messages and files are destroyed within a minute while the server runs and its disk is not full.',
      },
      { badge: 'Audit log', text: 'Actions are recorded, without content and file names.' },
      { badge: 'No trackers', text: 'Nothing is loaded from other sites.' },
    ],
    more: 'Read the threat model: what is covered, and what is not',
  },
  contact: {
    title: 'Contact',
    text: 'Questions about your account go to your organization’s administrators. For everything else, write to support.',
    support: 'Help & Support',
  },
  legal: 'Legal',
}
