import { isolating } from '../../ui/bidiIsolation.ts'

export const memberTexts = isolating({
  nav: 'Account',
  messages: 'Messages',
  alarm: 'Check your account',
  userMenu: (name: string) => `User menu, ${name}`,
  menu: 'User menu',
  admin: 'Admin',
  logout: 'Logout',
  connected: 'Connected',
  connecting: 'Connecting...',
  disconnected: 'Disconnected',
  trying: 'Trying again',
  lost: 'The live connection is lost.',
  backAgain: 'The live connection is back.',
  entries: {
    account: 'Account Settings',
    privacy: 'Privacy & Security',
    connections: 'Connection Management',
    help: 'Help & Support',
    settings: 'Settings',
    about: 'About',
  },
})
