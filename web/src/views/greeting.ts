/** Returns a greeting for the hour. */
export function greeting(hour: number): string {
  if (hour < 5) return 'Still up?'
  if (hour < 12) return 'Good morning.'
  if (hour < 18) return 'Good afternoon.'
  return 'Good evening.'
}

/** Returns the part of the day. */
export function partOfDay(hour: number): string {
  if (hour < 5) return 'deep night'
  if (hour < 8) return 'early morning'
  if (hour < 12) return 'morning'
  if (hour < 14) return 'midday'
  if (hour < 18) return 'afternoon'
  return hour < 22 ? 'evening' : 'night'
}
