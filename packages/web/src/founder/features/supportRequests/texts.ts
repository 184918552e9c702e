import type { ListedRequest } from '@privity/contract/founder/supportRequests'

const categories: Record<ListedRequest['category'], string> = {
  general: 'General question',
  account: 'Account and sign-in',
  connections: 'Connections and codes',
  messages: 'Messages',
  files: 'Files and downloads',
  security: 'Security',
}
const priorities: Record<ListedRequest['priority'], string> = {
  low: 'Low',
  normal: 'Normal',
  high: 'High',
  urgent: 'Urgent',
}
const states: Record<ListedRequest['state'], string> = { open: 'Open', closed: 'Handled' }

export const supportListTexts = {
  title: 'Support Requests',
  rail: 'Support',
  railCount: 'open',
  show: 'Show',
  shown: { open: 'Open', closed: 'Handled', all: 'All' },
  table: 'Support requests of members',
  columns: {
    reference: 'Reference',
    subject: 'Subject',
    category: 'Category',
    priority: 'Priority',
    from: 'From',
    sent: 'Sent',
    state: 'State',
    actions: 'Action',
  },
  categories,
  priorities,
  states,
  view: 'View',
  viewReference: (reference: string) => `View ${reference}`,
  none: { open: 'No open requests', closed: 'No handled requests', all: 'No support requests' },
  noneHint: 'Requests that members submit under Help & Support appear here.',
  notLoaded: 'The support requests could not be loaded.',
  whole: {
    notLoaded: 'The request could not be loaded.',
    loading: 'Loading support request...',
    text: 'Message',
    close: 'Close',
    handle: 'Mark as handled',
    reopen: 'Reopen',
    busy: 'Processing...',
  },
  done: {
    closed: 'Request handled',
    closedHint: (reference: string) => `${reference} is closed. Its author sees this too.`,
    open: 'Request reopened',
    openHint: (reference: string) => `${reference} is waiting for an answer again.`,
  },
  failed: 'Update Failed',
  failedHint: 'Failed to update the support request',
}
