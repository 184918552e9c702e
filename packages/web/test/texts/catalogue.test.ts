import { expect, test } from 'vitest'
import { coreTexts } from '../../src/app/texts.ts'
import { accountTexts as account } from '../../src/features/account/texts.ts'
import { auditTexts as audit } from '../../src/features/auditLogs/texts.ts'
import { authTexts as auth } from '../../src/features/auth/texts.ts'
import { connectionTexts as connections } from '../../src/features/connections/texts.ts'
import { managementTexts as management } from '../../src/features/connections/management/texts.ts'
import { deterrentTexts as deterrents } from '../../src/features/deterrents/texts.ts'
import { authorizationTexts } from '../../src/features/files/authorization/texts.ts'
import { fileTexts as files } from '../../src/features/files/texts.ts'
import { messageTexts as messages } from '../../src/features/messages/texts.ts'
import { organizationTexts as organization } from '../../src/features/organization/texts.ts'
import { preferenceTexts as preferences } from '../../src/features/preferences/texts.ts'
import { privacyTexts as privacy } from '../../src/features/privacy/texts.ts'
import { supportTexts as support } from '../../src/features/support/texts.ts'
import { adminTexts as admin, pageTexts as pages } from '../../src/pages/texts.ts'

const { changes } = organization

/** The members' part of the specification's catalogue of texts. Browser journeys check that they are shown. */
const catalogue: [said: string, specified: string][] = [
  [management.notGenerated, 'Failed to generate connection code'],
  [connections.notEstablished, 'Failed to create connection'],
  [management.notCreated, 'Connection failed'],
  [management.notCreatedHint, 'Failed to create connection'],
  [messages.failed, 'Failed to send message'],
  [files.authorizationFailed, 'Authorization Failed'],
  [files.authorizationFailedHint, 'Failed to update file authorization'],
  [files.requestFailed, 'Request Failed'],
  [files.requestFailedHint, 'Failed to request file authorization'],
  [`${files.downloadFailed}: ${files.downloadFailedHint}`, 'Download Failed: Unable to download the file'],
  [files.uploadFailed, 'Upload failed'],
  [files.couldNotShare, 'Could not share file'],
  [auth.signIn.failed, 'Login failed'],
  [auth.signIn.fallback, 'login failed'],
  [auth.signUp.failed, 'Signup failed'],
  [auth.signUp.fallback, 'signup failed'],
  [management.error, 'Error'],
  [management.notRemoved, 'Failed to remove connection'],
  [account.error, 'Error'],
  [account.password.mismatch, "New passwords don't match."],
  [`${changes.deleteFailed}: ${changes.deleteFailedHint}`, 'Delete Failed: Failed to delete user'],
  [`${changes.statusFailed}: ${changes.statusFailedHint}`, 'Status Change Failed: Failed to change user status'],
  [`${changes.roleFailed}: ${changes.roleFailedHint}`, 'Role Change Failed: Failed to change user role'],
  [`${coreTexts.unauthorized}: ${coreTexts.loggedOut}`, 'Unauthorized: You are logged out. Logging in again...'],
  [connections.established, 'Connection established successfully!'],
  [management.generated, 'New connection code generated!'],
  [connections.codeCopied, 'Connection code copied to clipboard'],
  [files.requested, 'Authorization Requested'],
  [files.requestedHint, 'The file sender will be notified of your download request.'],
  [files.downloadStarted, 'Download Started'],
  [files.accessAuthorized, 'File Access Authorized'],
  [files.accessAuthorizedHint, 'The recipient can now download the file, up to 3 times.'],
  [authorizationTexts.accessDenied, 'File Access Denied'],
  [files.shared, 'File shared!'],
  [files.sharedHint('plan.pdf'), 'plan.pdf uploaded successfully'],
  [auth.signIn.done, 'Login successful!'],
  [auth.welcomeBack('amara'), 'Welcome back, amara!'],
  [auth.signUp.done, 'Account created successfully!'],
  [auth.welcome('amara'), 'Welcome to Privity, amara!'],
  [management.created, 'Connection created'],
  [management.createdHint, 'Successfully connected with the user!'],
  [management.removed, 'Connection removed'],
  [management.removedHint, 'Connection has been successfully removed.'],
  [support.reference.copied, 'Copied!'],
  [preferences.saved, 'Settings saved'],
  [account.password.done, 'Password updated'],
  [privacy.updated, 'Setting updated'],
  [privacy.export.requested, 'Data export requested'],
  [support.submitted.toast, 'Support ticket submitted'],
  [changes.deleted, 'User Deleted'],
  [changes.activated, 'User Activated'],
  [changes.deactivated, 'User Deactivated'],
  [changes.roleUpdated, 'Role Updated'],
  [deterrents.warnings.screenshot, 'Screenshots are not permitted for security reasons'],
  [deterrents.warnings.devTools, 'Developer tools access is restricted'],
  [deterrents.warnings.print, 'Printing is not permitted for security reasons'],
  [deterrents.warnings.rightClick, 'Right-click is disabled for security'],
  [deterrents.warnings.console, 'Console access detected - activity is logged'],
  [connections.none, 'No connections yet'],
  [connections.select, 'Select a Connection'],
  [messages.empty, 'No messages yet. Start the conversation!'],
  [files.upload, 'UPLOAD FILE'],
  [files.ready, 'Ready to download'],
  [files.authorized, 'Download authorized'],
  [files.pending, 'Authorization pending'],
  [files.denied, 'Access denied'],
  [files.checking, 'Checking permissions...'],
  [files.download, 'Download'],
  [files.requestSent, 'Request sent'],
  [files.requestAccess, 'Request Access'],
  [support.faq.empty, 'No matching questions found. Try different keywords or contact support.'],
  [admin.title, 'Organization Admin Dashboard'],
  [admin.denied, 'Access Denied'],
  [admin.deniedWhy, "You don't have permission to access the admin dashboard."],
  [[admin.users, admin.audit, admin.overview].join(), 'User Management,Audit Logs,Organization Overview'],
  [Object.values(organization.users.columns).join(), 'Name,Email,Role,Status,Joined,Actions'],
  [organization.users.none, 'No users found in your organization'],
  [Object.values(audit.columns).join(), 'Action,Target User,Performed By,Date & Time,Details'],
  [audit.none, 'No audit logs found'],
  [audit.recent.none, 'No recent activity'],
  [Object.values(organization.roles).join(), 'User,Admin,Super Admin'],
  [pages.notFound.title, 'Page Not Found'],
  [pages.notFound.home, 'Back to Home'],
  [pages.notFound.login, 'Back to Login'],
]

test.each(catalogue)('it says: %s', (said, specified) => expect(said).toBe(specified))

test('an export is announced as specified: within 24 hours, with a notice by email', () =>
  expect(privacy.export.requestedHint).toMatch(/^Ready within 24 hours.*email notice/))
