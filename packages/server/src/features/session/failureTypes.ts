/** The security events of a failed attempt to access an account, as an SQL list. */
export const failureTypes = "('failed_sign_in', 'failed_password_check', 'failed_recovery', 'failed_second_factor')"
