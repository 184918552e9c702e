import type { Preferences } from '@privity/contract/preferences'
import type { Reader } from '../../core/database/types.ts'
import { preferencesOfEach } from '../preferences/preferences.ts'

/** The preferences that decide how contacts see a member. */
export type Visibility = Pick<Preferences, 'readReceipts' | 'onlineStatus' | 'profileVisibility'>

/** The parts of a member that one viewer may see. */
export interface Seen {
  /** Whether the member has read the viewer's messages. */
  reads: boolean
  online: boolean
  /** Email address and username. */
  profile: boolean
}

/** Read receipts and presence are mutual: members who hide their own do not see those of their contacts. */
function seen(member: Visibility, viewer: Visibility): Seen {
  return {
    reads: member.readReceipts && viewer.readReceipts,
    online: member.onlineStatus && viewer.onlineStatus,
    profile: member.profileVisibility,
  }
}

const all: Seen = { reads: true, online: true, profile: true }

/**
 * Loads the visibility rules among these users at this moment. Call it last, and use the result before awaiting
 * anything else. `as` replaces the member's stored preferences.
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

/** Whether these two see each other's read receipts. */
export async function tellReads(db: Reader, one: string, other: string): Promise<boolean> {
  return (await visibilityAmong(db, [one, other]))(one, other).reads
}
