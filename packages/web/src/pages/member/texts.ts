export const memberTexts = {
  nav: 'Account',
  messages: 'Messages',
  alarm: 'Check your account',
  entries: {
    account: 'Account Settings',
    privacy: 'Privacy & Security',
    connections: 'Connection Management',
    help: 'Help & Support',
    settings: 'Settings',
    about: 'About',
  },
}
