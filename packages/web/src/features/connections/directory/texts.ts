import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { plural } from '../../../i18n/language.ts'
import { isolating } from '../../../ui/translation.ts'

const days = limits.connectionRequestKept / (24 * 60 * 60 * 1000)
const pause = durationWords(limits.connectionRequestsApart, 'en')

export const directoryTexts = isolating({
  name: 'Name of a colleague',
  nameHint: 'First or last name',
  search: 'Search',
  searching: 'Searching...',
  tooShort: `Enter at least ${limits.directorySearchMin} letters of a name.`,
  results: 'Colleagues found',
  found: (count: number) => plural(count, { one: '1 colleague found', other: `${count} colleagues found` }),
  more: `These are the first ${limits.colleaguesFound}. Enter more of the name to see the others.`,
  none: (name: string) => `No colleague matches “${name}”`,
  noneHint: 'Check the spelling, or connect by a code.',
  notSearched: 'The search did not work.',
  ask: 'Ask to connect',
  askName: (name: string) => `Ask ${name} to connect`,
  states: { none: '', connected: 'Connected', asked: 'Asked, no answer yet', asking: 'Asks to connect with you' },
  asked: (name: string) => `Request sent to ${name}`,
  askedHint: (firstName: string) =>
    `You are connected as soon as ${firstName} accepts. Without an answer, the request ends in ${days} days.`,
  notAsked: 'Request not sent',
  notAskedHint: 'Try again.',
  received: 'Requests to you',
  sent: 'Your requests',
  notLoaded: 'Requests could not be loaded.',
  askedOn: (date: string) => `Asked ${date}`,
  accept: 'Accept',
  acceptName: (name: string) => `Accept the request of ${name}`,
  accepted: (name: string) => `You are connected with ${name}`,
  notAccepted: 'Request not accepted',
  decline: 'Decline',
  declineName: (name: string) => `Decline the request of ${name}`,
  declined: 'Request declined',
  declinedHint: (firstName: string) => `${firstName} is not notified.`,
  notDeclined: 'Request not declined',
  withdraw: 'Withdraw',
  withdrawName: (name: string) => `Withdraw your request to ${name}`,
  withdrawn: 'Request withdrawn',
  withdrawnHint: (firstName: string) => `You can ask ${firstName} again in ${pause}.`,
  notWithdrawn: 'Request not withdrawn',
})
