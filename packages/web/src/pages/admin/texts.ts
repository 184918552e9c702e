import { isolating } from '../../ui/bidiIsolation.ts'

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
