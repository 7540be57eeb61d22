// Texts of schedules.

export const schedule = {
  action: 'Schedule',
  instead: 'Schedule…',
  title: 'Schedule {name}',
  titleOfMany: { one: 'Schedule {count} file', other: 'Schedule {count} files' },
  times: 'Times are in the time zone {zone}.',
  publish_at: 'Publish at',
  unpublish_at: 'Unpublish at',
  stage_at: 'Stage at',
  save: 'Save schedule',
  saved: 'Schedule saved.',
  savedFor: {
    one: 'Schedule saved for {count} file.',
    other: 'Schedule saved for {count} files.',
  },
  mixed: 'The files have different times. Leave this field empty to keep the times.',
  clear: {
    publish_at: 'Remove all publish times',
    unpublish_at: 'Remove all unpublish times',
    stage_at: 'Remove all stage times',
  },
  older: 'Version {version} is scheduled. Newer changes are not included.',
  newest: 'Schedule the latest version instead',
  olderOfMany: {
    one: 'An older version of {count} file is scheduled. Newer changes are not included.',
    other: 'Older versions of {count} files are scheduled. Newer changes are not included.',
  },
  newestOfMany: 'Schedule the latest versions instead',
  skipped: 'This time does not exist, because the clocks are set forward. Choose another time.',
  twice: 'This time occurs twice, because the clocks are set back. Choose one below.',
  which: 'Which of the two times?',
  first: 'The first, before the clocks are set back',
  second: 'The second, after the clocks are set back',
  intro: 'Files that will be published, unpublished or staged.',
  empty: 'Nothing is scheduled',
  emptyText: 'Select one or more files and choose Schedule to set a time.',
  failures: 'Failed',
  kinds: { publish: 'Publish', unpublish: 'Unpublish', stage: 'Stage' },
  more: 'More files are scheduled. The list shows the next {count} of each kind.',
  moreInMonth:
    'More files are scheduled in this month. The month shows the first {count} of each kind.',
} as const
