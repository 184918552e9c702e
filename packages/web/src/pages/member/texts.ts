export const memberTexts = {
  nav: 'Account',
  alarm: 'Check your account',
  entries: {
    account: 'Account Settings',
    connections: 'Connection Management',
  },
}
