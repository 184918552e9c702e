import { CircleHelp, Info, type LucideIcon, ShieldCheck, SlidersHorizontal, User, Users } from 'lucide-react'
import { memberTexts } from '../texts.ts'

export interface MemberEntry {
  href: string
  icon: LucideIcon
  label: () => string
}

/** Member pages besides the dashboard, in the order of the side navigation and the user menu. */
export const memberEntries: readonly MemberEntry[] = [
  { href: '/account-settings', icon: User, label: () => memberTexts.entries.account },
  { href: '/privacy-security', icon: ShieldCheck, label: () => memberTexts.entries.privacy },
  { href: '/connection-management', icon: Users, label: () => memberTexts.entries.connections },
  { href: '/settings', icon: SlidersHorizontal, label: () => memberTexts.entries.settings },
  { href: '/help-support', icon: CircleHelp, label: () => memberTexts.entries.help },
  { href: '/about', icon: Info, label: () => memberTexts.entries.about },
]
