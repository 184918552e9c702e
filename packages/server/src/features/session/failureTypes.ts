/** The security events of a failed attempt to get into an account, as a list of SQL. */
export const failureTypes = "('failed_sign_in', 'failed_password_check', 'failed_recovery', 'failed_second_factor')"
