import { isolating } from '../ui/translation.ts'
import { lifetime } from '../i18n/retention.ts'

export const pageTexts = {
  notFound: {
    title: 'Page Not Found',
    text: 'There is no page at this address. Check the address, or go back.',
    home: 'Back to Home',
    login: 'Back to Login',
  },
}

export const memberTexts = isolating({
  nav: 'Account',
  messages: 'Messages',
  alarm: 'Security warning',
  userMenu: (name: string) => `User menu, ${name}`,
  menu: 'User menu',
  admin: 'Admin',
  logout: 'Logout',
  connected: 'Connected',
  connecting: 'Connecting...',
  disconnected: 'Disconnected',
  trying: 'Reconnecting',
  lost: 'The live connection is lost.',
  backAgain: 'The live connection has been restored.',
  entries: {
    account: 'Account Settings',
    privacy: 'Privacy & Security',
    connections: 'Connection Management',
    help: 'Help & Support',
    settings: 'Settings',
    about: 'About',
  },
})

export const dashboardTexts = isolating({
  title: 'Messages',
  factor: {
    announced: (date: string) => `From ${date} your organization requires two-factor authentication.`,
    setUpNow: 'Set it up now',
  },
  skip: 'Skip to conversation',
  connections: 'Connections',
  findColleague: 'Find a colleague',
  pairing: 'Your connection code, Connect',
  back: 'Back to connections',
  online: 'Online',
  encrypted: 'End-to-end encrypted',
  video: 'Video call',
  voice: 'Voice call',
  calls: 'Video call and voice call',
  noCalls: 'Calls are not available yet',
  info: 'Info',
  find: 'Find in conversation',
  findShortcut: 'Ctrl+Shift+F',
  noVideo: 'Video calls are not available yet',
  noVoice: 'Voice calls are not available yet',
  noCallsHint: 'You can send messages and files.',
  assurances: [
    { title: 'End-to-end encrypted', text: '256-bit keys. The server holds none that it can use.' },
    { title: `Gone after ${lifetime.en}`, text: 'Messages delete on a rolling basis; connections stay.' },
    { title: 'Approved downloads', text: 'The sender decides; each approval allows 3.' },
  ],
})

export const adminTexts = isolating({
  title: 'Organization Admin Dashboard',
  subtitle: (name: string, type: string) => `${name} · ${type}`,
  messages: 'Messages',
  denied: 'Access Denied',
  deniedWhy: "You don't have permission to access the admin dashboard.",
  tabs: 'Organization',
  users: 'User Management',
  audit: 'Audit Logs',
  overview: 'Organization Overview',
})
