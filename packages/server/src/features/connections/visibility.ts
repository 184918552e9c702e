import type { Preferences } from '@privity/contract/preferences'
import type { Reader } from '../../core/database/types.ts'
import { preferencesOfEach } from '../preferences/preferences.ts'

/** What a member lets his contacts see. */
export type Visibility = Pick<Preferences, 'readReceipts' | 'onlineStatus' | 'profileVisibility'>

/** Of what there is to see of a member, what one viewer may. */
export interface Seen {
  /** Whether the member has read his messages. */
  reads: boolean
  online: boolean
  /** E-mail address and username. */
  profile: boolean
}

/** Read receipts and presence are mutual: who keeps his own to himself is not told another's. */
function seen(member: Visibility, viewer: Visibility): Seen {
  return {
    reads: member.readReceipts && viewer.readReceipts,
    online: member.onlineStatus && viewer.onlineStatus,
    profile: member.profileVisibility,
  }
}

const all: Seen = { reads: true, online: true, profile: true }

/**
 * The rules among these users, as they are at this moment: ask last, and use the answer before anything else is
 * awaited. `as` stands for what the member lets others see now.
 */
export async function visibilityAmong(
  db: Reader,
  userIds: readonly string[],
): Promise<(memberId: string, viewerId: string, as?: Visibility) => Seen> {
  const each: ReadonlyMap<string, Visibility> = await preferencesOfEach(db, userIds)
  return (memberId, viewerId, as = each.get(memberId)) => {
    const [member, viewer] = [as, each.get(viewerId)]
    if (memberId === viewerId) return all
    if (member === undefined || viewer === undefined) throw new Error('visibility was not asked for this user')
    return seen(member, viewer)
  }
}

/** Whether these two tell each other what they have read. */
export async function tellReads(db: Reader, one: string, other: string): Promise<boolean> {
  return (await visibilityAmong(db, [one, other]))(one, other).reads
}
