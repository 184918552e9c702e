/** Pages for members, besides the dashboard. The last one is for administrators. */
export const memberPages = [
  '/account-settings',
  '/privacy-security',
  '/connection-management',
  '/settings',
  '/help-support',
  '/about',
  '/admin',
]
