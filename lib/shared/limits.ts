// Limits of the interface that the administration area and the client of import and export keep to.

/** The fewest characters of a password. */
export const PASSWORD_CHARACTERS = 12

/** Records of one page of a list. */
export const MAX_LIST_LENGTH = 1_000

/** References that one name follows, in expand and in qry: related.author follows two. */
export const MAX_REFERENCE_DEPTH = 2
/** Conditions on related records in one qry, and the matching records of each. */
export const MAX_RELATED_CONDITIONS = 8
export const MAX_RELATED_RECORDS = 5_000
/** Names in one expand. */
export const MAX_EXPANDED_NAMES = 10
/** Records that one expand reads, and the bytes of all their JSON texts in one answer. */
export const MAX_EXPANDED_RECORDS = 2_000
export const MAX_EXPANDED_BYTES = 4 * 1024 * 1024

/** Entries of one request, and the values of all these entries together. */
export const MAX_BULK = 500
export const MAX_BULK_VALUES = 3_000

/** Operations of one batch. */
export const MAX_BATCH = 1_000
/** Operations of a batch that are all or nothing: all of them run inside one commit, for which other commits wait. */
export const MAX_JOINT_BATCH = 200
/** Rows that such a batch writes and removes, about 30 ms: a delete removes a row for each version of the file. */
export const MAX_JOINT_ROWS = 1_500

/** Folders and files that one copy of a folder has: their identifiers are in memory, and the copy is made in one request. */
export const MAX_COPIED_RECORDS = 10_000

/** Files, and folders, of one publish of a folder: their identifiers are in memory. */
export const MAX_PUBLISHED_FILES = 10_000
/** Refused files that its answer describes. */
export const MAX_SHOWN_FAILURES = 100

/** References of one list, and of all entries of one request: each is looked up inside the commit. */
export const MAX_REFERENCES = 1_000
export const MAX_REQUEST_REFERENCES = 3_000
/**
 * Elements of lists (SET, MANY) that one request adds or removes, and of all lists of one entry. Each has a row in an index;
 * 6,000 rows take about 20 ms.
 */
export const MAX_LIST_ELEMENTS = 6_000
/** Records that one deletion may delete with it (ON DELETE CASCADE): their identifiers are kept in memory. */
export const MAX_DEPENDENTS = 250_000
/** Tables and calendars with columns that refer to the same object: each is searched when a record is deleted. */
export const MAX_REFERRING_MODULES = 500
/** Size of a value of a JSON column as JSON text. */
export const MAX_JSON_BYTES = 256 * 1024
/** Nesting of such a value. A list of entries, which nests it two deeper, stays within the limit of bodies. */
export const MAX_JSON_DEPTH = 30

/** Dates in exdates, and in rdates, of one series. */
export const MAX_SERIES_DATES = 1_000

/** Folders of one request that counts what lies in folders, and the highest count, which costs about a millisecond. */
export const MAX_COUNTED_FOLDERS = 100
export const MAX_FOLDER_COUNT = 1_000

/** Redirects of one folder on the site, and the characters of all their paths. */
export const MAX_REDIRECTS = 200
export const MAX_REDIRECT_CHARACTERS = 20_000
/** Characters of one response header of a folder on the site. */
export const MAX_SITE_HEADER_CHARACTERS = 2_000

/** Characters of the pattern of a MATCH. */
export const MAX_MATCH_CHARACTERS = 500
/**
 * Instructions of a pattern times characters of the longest text, for all MATCH columns of a module together. An adversarial
 * text takes up to 0.5 µs for each, so a body takes at most 20 ms.
 */
export const MAX_MATCH_STEPS = 40_000
/** Cost of the character classes in all patterns of a module; one takes about 30 µs to compile. */
export const MAX_MATCH_CLASSES = 400

/** Saved views of one user, the characters of the name of a view, and of its query. */
export const MAX_SAVED_VIEWS = 100
export const MAX_VIEW_NAME = 100
export const MAX_VIEW_QUERY = 2_000

/** The administration area sends larger files as resumable uploads, in slices of this size. */
export const RESUMABLE_BYTES = 16 * 1024 * 1024

/** UNIQUE(a, b) of one module, and the columns of each. */
export const MAX_UNIQUE_GROUPS = 4
export const MAX_UNIQUE_COLUMNS = 8
/** CHECK rules of one module. */
export const MAX_CHECKS = 32
/** One expression of CHECK or COMPUTED: its text, and how deep it is nested. */
export const MAX_EXPRESSION_CHARACTERS = 2_000
export const MAX_EXPRESSION_DEPTH = 32
/** Values of concat and coalesce. */
export const MAX_FUNCTION_PARTS = 50
/**
 * Values and operators of all expressions of a module together; a product or a quotient counts as five. The most expensive
 * ones take 60 µs for an entry, so a list of 500 entries takes 30 ms in its commit.
 */
export const MAX_EXPRESSION_NODES = 200
/** Characters of the longest texts that the expressions of a module compare, join and convert: up to 50 µs for an entry. */
export const MAX_EXPRESSION_TEXT = 12_000

/** Largest numbers in a rule for the versions of files. */
export const MAX_KEPT_VERSIONS = 10_000
export const MAX_KEPT_DAYS = 36_500

/** Addresses of one text that are checked, and those that lead nowhere in one answer. */
export const MAX_CHECKED_LINKS = 10_000
export const MAX_DEAD_LINKS = 500
/** Files of one check before a publish. */
export const MAX_CHECKED_FILES = 500
/** Different addresses of one version that are stored, and the characters of all of them. */
export const MAX_STORED_LINKS = 2_000
export const MAX_STORED_LINK_CHARACTERS = 64 * 1024
/** Groups and entries that use one file in one answer. */
export const MAX_USES = 100

/** Fragments and menus of one page of the site, and how deep fragments nest. */
export const MAX_INCLUDES = 200
export const MAX_INCLUDE_DEPTH = 8
/** Links of one page whose paths the server looks up. A path has up to 12 KB. */
export const MAX_PAGE_LINKS = 1_000
/** Files of one menu. */
export const MAX_MENU_FILES = 200
/** Bytes that fragments and menus add to a page. A larger HTML file has neither shortcodes nor a layout. */
export const MAX_COMPOSED_BYTES = 4 * 1024 * 1024

/** Targets of one request that counts open comments, and the highest number. */
export const MAX_COUNTED_TARGETS = 100
export const MAX_COMMENT_COUNT = 99
