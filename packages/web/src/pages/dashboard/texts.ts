import { isolating } from '../../ui/bidiIsolation.ts'
import { lifetime } from '../../i18n/retention.ts'

export const dashboardTexts = isolating({
  title: 'Messages',
  factor: {
    announced: (date: string) => `From ${date} your organization requires two-factor sign-in.`,
    setUpNow: 'Set it up now',
  },
  skip: 'Skip to conversation',
  connections: 'Connections',
  back: 'Back to connections',
  online: 'Online',
  encrypted: 'End-to-end encrypted',
  video: 'Video call',
  voice: 'Voice call',
  info: 'Info',
  noVideo: 'Video calls are not available yet',
  noVoice: 'Voice calls are not available yet',
  noCallsHint: 'Messages and files are.',
  assurances: [
    { title: 'End-to-end encrypted', text: '256-bit keys. The server holds none that it can use.' },
    { title: `Gone after ${lifetime.en}`, text: 'Messages delete on a rolling basis; connections stay.' },
    { title: 'Approved downloads', text: 'The sender decides; each approval allows 3.' },
  ],
})
