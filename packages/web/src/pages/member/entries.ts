import { CircleHelp, Info, type LucideIcon, ShieldCheck, SlidersHorizontal, User, Users } from 'lucide-react'
import { memberTexts } from './texts.ts'

export interface MemberEntry {
  href: string
  icon: LucideIcon
  label: () => string
}

/** The pages of a member besides the dashboard: what the side navigation and the user menu list, in this order. */
export const memberEntries: readonly MemberEntry[] = [
  { href: '/account-settings', icon: User, label: () => memberTexts.entries.account },
  { href: '/privacy-security', icon: ShieldCheck, label: () => memberTexts.entries.privacy },
  { href: '/connection-management', icon: Users, label: () => memberTexts.entries.connections },
  { href: '/settings', icon: SlidersHorizontal, label: () => memberTexts.entries.settings },
  { href: '/help-support', icon: CircleHelp, label: () => memberTexts.entries.help },
  { href: '/about', icon: Info, label: () => memberTexts.entries.about },
]
