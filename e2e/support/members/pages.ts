/** Pages that only members see, beside the dashboard. The last one: for administrators. */
export const memberPages = [
  '/account-settings',
  '/privacy-security',
  '/connection-management',
  '/settings',
  '/help-support',
  '/about',
  '/admin',
]
