// Made by npm run admin:types from the document of the System API; a test compares it with what that is now.

export interface paths {
    "/asset_category": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every asset category that the key may view
         * @description Needs the grant view in the folder.
         */
        get: operations["search_asset_category"];
        put?: never;
        /**
         * Create one asset category
         * @description Needs the grant create or modify in the folder.
         */
        post: operations["create_asset_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one asset category
         * @description Needs the grant view in the folder.
         */
        get: operations["read_asset_category"];
        put?: never;
        /**
         * Update one asset category; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant modify in the folder.
         */
        post: operations["update_asset_category"];
        /**
         * Delete one asset category
         * @description Needs the grant delete in the folder.
         */
        delete: operations["delete_asset_category"];
        options?: never;
        head?: never;
        /**
         * Update one asset category; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant modify in the folder.
         */
        patch: operations["patch_asset_category"];
        trace?: never;
    };
    "/asset_category/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant view in the folder.
         */
        post: operations["search_asset_category_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every asset file that the key may view
         * @description Needs the grant view in the folder.
         */
        get: operations["search_asset_file"];
        put?: never;
        /**
         * Create one asset file
         * @description A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant publish or stage, but not modify.
         *
         *     publish_at, unpublish_at and stage_at let the server move a pointer later; alone, they need the grant publish or stage, but not modify. publish_at and stage_at name the latest version at that moment, including a version that the same body saves. Publishing or staging that version or a later one by hand clears the time. If a time cannot be kept, the record says why in schedule_fault.
         *
         *     A list of up to 50 such bodies is also accepted, as in `POST /asset_file/bulk`: one commit creates all of them or none.
         *
         *     Needs the grant create or modify in the folder.
         */
        post: operations["create_asset_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one asset file
         * @description Needs the grant view in the folder.
         */
        get: operations["read_asset_file"];
        put?: never;
        /**
         * Update one asset file; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Every save creates a version: a body with any field besides fileState, publish_at, unpublish_at, stage_at and pinned_versions, even if the value is unchanged. An empty body creates none. A save moves neither the live nor the staged version. pageContent null is accepted if a read returns null, and rejected if the file has a text.
         *
         *     A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant publish or stage, but not modify.
         *
         *     publish_at, unpublish_at and stage_at let the server move a pointer later; alone, they need the grant publish or stage, but not modify. publish_at and stage_at name the latest version at that moment, including a version that the same body saves. Publishing or staging that version or a later one by hand clears the time. If a time cannot be kept, the record says why in schedule_fault.
         *
         *     A record that was read can be posted back: in a body with live_version, an unchanged fileState moves nothing. fileState null is accepted if the stored value is null, and unpublishes nothing (use …/unpublish for that). To publish the latest version again, send fileState without live_version.
         *
         *     Needs one of the grants modify, publish, stage in the folder, depending on the request.
         */
        post: operations["update_asset_file"];
        /**
         * Delete one asset file
         * @description Needs the grant delete in the folder.
         */
        delete: operations["delete_asset_file"];
        options?: never;
        head?: never;
        /**
         * Update one asset file; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs one of the grants modify, publish, stage in the folder, depending on the request.
         */
        patch: operations["patch_asset_file"];
        trace?: never;
    };
    "/asset_file/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant view in the folder.
         */
        post: operations["search_asset_file_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create several asset files in one commit
         * @description The body is a list of 1 to 50 asset files. One commit creates all of them or none. The response has the records as in a list; an error names the position in the list.
         *
         *     A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant publish or stage, but not modify.
         *
         *     publish_at, unpublish_at and stage_at let the server move a pointer later; alone, they need the grant publish or stage, but not modify. publish_at and stage_at name the latest version at that moment, including a version that the same body saves. Publishing or staging that version or a later one by hand clears the time. If a time cannot be kept, the record says why in schedule_fault.
         *
         *     Needs the grant create or modify in the folder.
         */
        post: operations["bulk_create_asset_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/file_group": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every file group that the key may view
         * @description Needs the grant view in the folder.
         */
        get: operations["search_file_group"];
        put?: never;
        /**
         * Create one file group
         * @description Needs the grant create or modify in the folder.
         */
        post: operations["create_file_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/file_group/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one file group
         * @description Needs the grant view in the folder.
         */
        get: operations["read_file_group"];
        put?: never;
        /**
         * Update one file group; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant modify in the folder.
         */
        post: operations["update_file_group"];
        /**
         * Delete one file group
         * @description Needs the grant delete in the folder.
         */
        delete: operations["delete_file_group"];
        options?: never;
        head?: never;
        /**
         * Update one file group; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant modify in the folder.
         */
        patch: operations["patch_file_group"];
        trace?: never;
    };
    "/file_group/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant view in the folder.
         */
        post: operations["search_file_group_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datatable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every datatable that the key may view
         * @description Needs the grant view in the folder.
         */
        get: operations["search_datatable"];
        put?: never;
        /**
         * Create one datatable
         * @description Needs the grant create or modify in the folder.
         */
        post: operations["create_datatable"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/datatable/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one datatable
         * @description Needs the grant view in the folder.
         */
        get: operations["read_datatable"];
        put?: never;
        /**
         * Update one datatable; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant modify in the folder.
         */
        post: operations["update_datatable"];
        /**
         * Delete one datatable
         * @description Needs the grant delete in the folder.
         */
        delete: operations["delete_datatable"];
        options?: never;
        head?: never;
        /**
         * Update one datatable; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant modify in the folder.
         */
        patch: operations["patch_datatable"];
        trace?: never;
    };
    "/datatable/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant view in the folder.
         */
        post: operations["search_datatable_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every calendar that the key may view
         * @description Needs the grant view in the folder.
         */
        get: operations["search_calendar"];
        put?: never;
        /**
         * Create one calendar
         * @description Needs the grant create or modify in the folder.
         */
        post: operations["create_calendar"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/calendar/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one calendar
         * @description Needs the grant view in the folder.
         */
        get: operations["read_calendar"];
        put?: never;
        /**
         * Update one calendar; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant modify in the folder.
         */
        post: operations["update_calendar"];
        /**
         * Delete one calendar
         * @description Needs the grant delete in the folder.
         */
        delete: operations["delete_calendar"];
        options?: never;
        head?: never;
        /**
         * Update one calendar; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant modify in the folder.
         */
        patch: operations["patch_calendar"];
        trace?: never;
    };
    "/calendar/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant view in the folder.
         */
        post: operations["search_calendar_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every user that the key may view
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["search_user"];
        put?: never;
        /**
         * Create one user
         * @description Needs the grant admin on the whole site.
         */
        post: operations["create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one user
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_user"];
        put?: never;
        /**
         * Update one user; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["update_user"];
        /**
         * Delete one user
         * @description Needs the grant admin on the whole site.
         */
        delete: operations["delete_user"];
        options?: never;
        head?: never;
        /**
         * Update one user; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant admin on the whole site.
         */
        patch: operations["patch_user"];
        trace?: never;
    };
    "/user/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["search_user_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every API key that the key may view
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["search_api_key"];
        put?: never;
        /**
         * Create one API key
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["create_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_key/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one API key
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_api_key"];
        put?: never;
        /**
         * Update one API key; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["update_api_key"];
        /**
         * Delete one API key
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        delete: operations["delete_api_key"];
        options?: never;
        head?: never;
        /**
         * Update one API key; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        patch: operations["patch_api_key"];
        trace?: never;
    };
    "/api_key/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["search_api_key_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every role that the key may view
         * @description Needs the grant admin on the whole site.
         */
        get: operations["search_role"];
        put?: never;
        /**
         * Create one role
         * @description Needs the grant admin on the whole site.
         */
        post: operations["create_role"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/role/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one role
         * @description Needs the grant admin on the whole site.
         */
        get: operations["read_role"];
        put?: never;
        /**
         * Update one role; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["update_role"];
        /**
         * Delete one role
         * @description Needs the grant admin on the whole site.
         */
        delete: operations["delete_role"];
        options?: never;
        head?: never;
        /**
         * Update one role; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant admin on the whole site.
         */
        patch: operations["patch_role"];
        trace?: never;
    };
    "/role/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["search_role_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every webhook that the key may view
         * @description Needs the grant admin on the whole site.
         */
        get: operations["search_webhook"];
        put?: never;
        /**
         * Create one webhook
         * @description The webhook sends all later changes; `POST …/replay` sends earlier ones.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one webhook
         * @description Needs the grant admin on the whole site.
         */
        get: operations["read_webhook"];
        put?: never;
        /**
         * Update one webhook; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["update_webhook"];
        /**
         * Delete one webhook
         * @description Needs the grant admin on the whole site.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Update one webhook; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs the grant admin on the whole site.
         */
        patch: operations["patch_webhook"];
        trace?: never;
    };
    "/webhook/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["search_webhook_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every comment that the key may view
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["search_comment"];
        put?: never;
        /**
         * Create one comment
         * @description Needs one of the grants modify, stage, publish in the folder, depending on the request.
         */
        post: operations["create_comment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one comment
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_comment"];
        put?: never;
        /**
         * Update one comment; fields that are left out stay the same
         * @description The body contains only the fields to change; null clears a field. A read-only field is accepted if it has its current value, so that a client can read a record, change it and post it back.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["update_comment"];
        /**
         * Delete one comment
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        delete: operations["delete_comment"];
        options?: never;
        head?: never;
        /**
         * Update one comment; fields that are left out stay the same
         * @description The same as POST, for clients that send PATCH. The body may also be application/merge-patch+json, in which null clears a field.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        patch: operations["patch_comment"];
        trace?: never;
    };
    "/comment/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["search_comment_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every audit row that the key may view
         * @description Needs the grant admin on the whole site.
         */
        get: operations["search_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one audit row
         * @description Needs the grant admin on the whole site.
         */
        get: operations["read_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["search_audit_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search: every trash item that the key may view
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["search_trash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one trash item
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_trash"];
        put?: never;
        post?: never;
        /**
         * Permanently remove one trash item
         * @description The record and its bytes cannot be restored afterwards.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        delete: operations["delete_trash"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same search with its parameters in the body
         * @description For a search that is too long for a URL. The members of the body are the query parameters of the list. The request changes nothing.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["search_trash_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a file, newest first
         * @description Needs the grant view in the folder.
         */
        get: operations["list_asset_file_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the fields of one version, without its bytes
         * @description Needs the grant view in the folder.
         */
        get: operations["read_asset_file_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/versions/{version}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the bytes of one version
         * @description Query parameters are ignored: use ?v=2 to bypass a cache.
         *
         *     Needs the grant modify in the folder.
         */
        get: operations["read_asset_file_version_content"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/versions/{version}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save the content of an older version as a new version
         * @description Creates a new version with the old content. The live and the staged version stay the same. Send no body, or {}.
         *
         *     Needs the grant modify in the folder.
         */
        post: operations["restore_asset_file_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/versions/{version}/diff/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare two text versions as a unified diff
         * @description Needs the grant modify in the folder.
         */
        get: operations["diff_asset_file_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Publish the latest version, or with ?version=n an older one
         * @description This GET changes something, so prefetch requests are rejected. POST does the same. A version of type stml that fails the STML check is rejected with 422.
         *
         *     Needs the grant publish in the folder.
         */
        get: operations["publish_asset_file"];
        put?: never;
        /**
         * Publish the latest version, or with ?version=n an older one
         * @description The content does not change. Send no body, or {}.
         *
         *     Needs the grant publish in the folder.
         */
        post: operations["publish_asset_file_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/stage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stage the latest version, or with ?version=n an older one
         * @description This GET changes something, so prefetch requests are rejected. POST does the same. A version of type stml that fails the STML check is rejected with 422.
         *
         *     Needs the grant stage in the folder.
         */
        get: operations["stage_asset_file"];
        put?: never;
        /**
         * Stage the latest version, or with ?version=n an older one
         * @description The content does not change. Send no body, or {}.
         *
         *     Needs the grant stage in the folder.
         */
        post: operations["stage_asset_file_by_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpublish the file; the staged version stays staged
         * @description The content does not change. Send no body, or {}.
         *
         *     Needs the grant publish in the folder.
         */
        post: operations["unpublish_asset_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/unstage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unstage the file; the live version stays live
         * @description The content does not change. Send no body, or {}.
         *
         *     Needs the grant stage in the folder.
         */
        post: operations["unstage_asset_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Carry out many operations on files
         * @description In mode each, the operations run one after the other, in order, each with its own commit, and each has a result. In mode all, one commit carries out all of them or none: at most 200 operations, each file once. The response is then the problem of the first operation that is refused, with a pointer such as /operations/3. The grants of each operation are those of the single request, and a file that the key may not see counts as missing. A retry with the same Idempotency-Key carries out nothing again. If the first response is no longer stored, results are the files as they are now. In mode each, rebuilt is then true: after a crash, the last operations may not have been carried out.
         *
         *     Needs one of the grants publish, stage, modify, delete in the folder, depending on the request.
         */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a file
         * @description The copy is a draft with one version, which shares the bytes of the original: the latest version, or the live version for a key that does not see drafts. It has the type, title, description, alternative text and focus of this version. Needs the grant view in the folder of the original, and create in the folder of the copy.
         *
         *     Needs the grant create or modify in the folder.
         */
        post: operations["copy_asset_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a folder with its folders and files
         * @description Copies the folders and files that the key may view, as drafts that share the bytes of the originals. The whole copy becomes visible at once, when it is complete; a request that fails copies nothing. The change log has the new folder, without a change for each record in it. Modules, file groups, redirects, response headers and the field public are not copied. A folder with more than 10,000 folders and files is rejected with 413.
         *
         *     Needs the grant create or modify in the folder.
         */
        post: operations["copy_asset_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish all files below a folder
         * @description Changes each file like the request for this file: the latest version goes live or on stage. A refused file does not prevent the others. The files are changed in several small commits. Needs view and publish in the folder, and in the folder of each file. A folder that the key may not view, and everything below it, counts as empty. A folder with more than 10,000 files or folders below it is rejected with 413. Send no body, or {}.
         *
         *     Needs the grant publish in the folder.
         */
        post: operations["publish_asset_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}/stage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stage all files below a folder
         * @description Changes each file like the request for this file: the latest version goes live or on stage. A refused file does not prevent the others. The files are changed in several small commits. Needs view and stage in the folder, and in the folder of each file. A folder that the key may not view, and everything below it, counts as empty. A folder with more than 10,000 files or folders below it is rejected with 413. Send no body, or {}.
         *
         *     Needs the grant stage in the folder.
         */
        post: operations["stage_asset_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}/unpublish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpublish all files below a folder
         * @description Changes each file like the request for this file: the latest version goes live or on stage. A refused file does not prevent the others. The files are changed in several small commits. Needs view and publish in the folder, and in the folder of each file. A folder that the key may not view, and everything below it, counts as empty. A folder with more than 10,000 files or folders below it is rejected with 413. Send no body, or {}.
         *
         *     Needs the grant publish in the folder.
         */
        post: operations["unpublish_asset_category"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comment/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the open comments on files and entries
         * @description Counts the threads on each target that are not resolved. A number stops at 99: the target has at least as many. The response leaves out targets without open threads, targets that do not exist, and targets whose comments the key may not see.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["count_comment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/mentions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open comments that concern the user of this key
         * @description The comments that mention the user of the key, and the newest reply of each thread in which the user wrote before, newest first. Resolved threads and comments that the key may not see are left out.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["list_my_mentions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links to a file that the key manages
         * @description Newest first. A key sees the links that it created. A signed-in user also sees the links of the keys of the user. The grant admin in the folder shows all links to the file.
         *
         *     Needs one of the grants view, modify, stage, publish in the folder, depending on the request.
         */
        get: operations["list_asset_file_links"];
        put?: never;
        /**
         * Create a link that shows a file without a key until the link expires
         * @description For people without a key, such as a print shop or a customer. A link to the live version needs the grant view. A link to the staged version or to the preview of the site needs modify, stage or publish. A link to a numbered version needs modify. The link returns what its creator may read at the time of the request: it stops working when the key or the user that created it is deleted, disabled or expired or has lost the grant, and when the file is deleted. A link that a signed-in user creates does not end with the session. The address cannot be guessed and must be kept secret. With the state preview, the address is on the host of the site of the file: the link shows the site as POST /api/v2/preview does, and works while the file is on that site.
         *
         *     Needs one of the grants view, modify, stage, publish in the folder, depending on the request.
         */
        post: operations["make_asset_file_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/link/{link}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a link
         * @description The link stops working at once. A key that sees a link in the list can revoke it.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        delete: operations["revoke_asset_file_link"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/link/{token}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the file of a link
         * @description Also served as /link/…, outside /api/v2. The header Authorization, other query parameters and the name in the address are ignored. Every request with a token that is wrong, expired or revoked, or shows nothing now, gets the same 404; a browser that opens the address gets a page. A browser that loads a script, a style sheet, a worker or a plug-in with a link (header Sec-Fetch-Dest) gets 403 ticket-as-code.
         *
         *     Needs no key.
         */
        get: operations["read_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the files and folders in folders
         * @description Counts what the key may view directly in each folder. A number stops at 1,000: the folder has at least as many. The response leaves out folders that do not exist or that the key may not view.
         *
         *     Needs the grant view in the folder.
         */
        get: operations["count_in_asset_category"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}/former_name": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the former names in a folder that redirect
         * @description After the rename or the move of a live file or a public folder, the former address redirects (308) until another file or folder uses this address. The list contains, sorted, the names in this folder that redirect to a file or folder that the key may view. At most the first 10,000 names of files and of folders in the folder are examined.
         *
         *     Needs the grant view in the folder.
         */
        get: operations["list_former_names"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_category/{id}/former_name/{former_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End the redirect from a former name
         * @description The former address then returns 404. Needs view, modify and publish in the folder. Only names in the list can be removed.
         *
         *     Needs the grant publish in the folder.
         */
        delete: operations["delete_former_name"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/change": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of the site in order
         * @description A key gets the changes of the records that it may see, by its current grants. A record that moves to a folder that the key cannot see is a `delete`; a record that moves from such a folder to a visible folder is a `create`. Deleting a folder, a datatable or a calendar, or moving a folder, is one change for everything in it: its entries are not reported one by one. Values that change by use alone are not reported: `last_used`, `entry_count`, and the end of a session. The log begins where the audit trail begins.
         *
         *     Store `page.next` after you have processed the changes, and continue from it: every change is delivered exactly once. If the position is older than the log, the response is 410 with a `next`: read the lists again, then continue from `next`. A page may be empty although more changes follow, if the key cannot see them: continue with `page.next`.
         *
         *     Needs the grant view in the folder.
         */
        get: operations["follow_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/change/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of the site as Server-Sent Events
         * @description Server-Sent Events: `event: change`, with a change as JSON in `data` and the position to resume from in `id`. A client that reconnects sends the last id in the header `Last-Event-ID`, which takes precedence over `since`. If the position is older than the log, the server sends `event: gone` with the content of the 410 of `GET /change`; its id is the current position. A time that is older than the log is refused with 410. A comment is sent every 15 seconds. The stream ends when the key expires or is revoked, and when the client does not read. A stream counts as a running request of its key, its user and its address until it ends.
         *
         *     Needs the grant view in the folder.
         */
        get: operations["stream_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_key/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new secret for a key; the old secret stays valid for keep_old (30d, 12h, 90s or seconds)
         * @description Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["rotate_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause the webhook until it is resumed
         * @description Send no body, or {}.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["pause_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume the webhook at once where it stopped, and retry deliveries that were given up
         * @description A delivery that was given up is retried. Send no body, or {}.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["resume_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send all changes after a sequence number again
         * @description Sends all changes after `since` again, in order, each with its previous `webhook-id`. If these changes are no longer in the log, the error says where the log begins. A delivery that was given up is retried.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["replay_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new secret; the old secret also signs for keep_old (default 24h)
         * @description Until the old secret expires, `webhook-signature` has a signature of each secret, separated by a space. An even older secret expires at once.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["rotate_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message and return the result
         * @description Sends one message of type webhook.test after the deliveries that are in progress, also to a webhook that is paused or given up. Send no body, or {}.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook/{id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the delivery attempts of a webhook, newest first
         * @description The last 1,000 delivery attempts of the last 30 days.
         *
         *     Needs the grant admin on the whole site.
         */
        get: operations["list_webhook_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the key of this request, its user, and its grants
         * @description For every valid key, even without any grant. Roles of the user in folders that the key does not see are omitted.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the people with whom the user of this session works
         * @description The names of the users who may write in a folder where the user of the session sees drafts, newest users first, and of the users whom the key may read. A key without the admin grant is refused, except for a session.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["list_my_people"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether a key or a user may do something, and if not, why
         * @description The key of the request must see the key or user and the record; otherwise the response says that they do not exist. The response considers only grants, not whether a name is taken or a folder is empty. The request changes nothing.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_access"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ways to sign in
         * @description Needs no key.
         */
        get: operations["read_ways_in"];
        put?: never;
        /**
         * Sign in with a name, a password, and the code of a second factor if the user has one
         * @description If the user has a second factor and the password is correct but the code is missing, the response is 401 `code-required`. After too many failed attempts with one name or from one address, the response is 429 for some minutes.
         *
         *     Needs no key.
         */
        post: operations["sign_in"];
        /**
         * Sign out
         * @description Needs no key.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the password of the user of a link, and sign in
         * @description The link was created with POST /api/v2/user/{id}/link or printed at the first start. It works once. If the user has a second factor and the code is missing, the response is 401 `code-required`. All other sessions of the user end.
         *
         *     Needs no key.
         */
        post: operations["sign_in_with_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/link/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the user of a link
         * @description The link stays valid. The request writes nothing, so an Idempotency-Key is ignored.
         *
         *     Needs no key.
         */
        post: operations["check_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/renew": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get the next secret of the session
         * @description Earlier secrets stay valid until they expire, because each open page has its own secret.
         *
         *     Needs no key.
         */
        post: operations["renew_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Redirect to the identity provider to sign in
         * @description For browsers. Redirects to the identity provider, or to /admin/sign-in?problem=oidc-unavailable if the provider does not respond. Returns 404 if no provider is configured.
         *
         *     Needs no key.
         */
        get: operations["begin_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish signing in with the identity provider
         * @description The provider redirects the browser to this address, with its response in the query. The server then redirects to /admin with the session cookie, or to /admin/sign-in?problem= with the code of the error.
         *
         *     Needs no key.
         */
        get: operations["finish_oidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password of the signed-in user and end all other sessions
         * @description Requires the secret of a session.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["change_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{id}/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set or remove the password of a user and end all sessions of the user
         * @description Sets the password of another user. A key cannot set the password of its own user: use POST /api/v2/me/password.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["set_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link by which a user sets a password
         * @description Anyone who has the link can set the password of the user once, within three days. Send the link over a channel that you trust. The link ends when a newer link is created, the password changes, the user is disabled, or its creator loses a right that the creation required. Until the link is used, the current password and the sessions of the user stay valid. A key cannot create a link for its own user.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["make_user_link"];
        /**
         * Revoke the link by which a user sets a password
         * @description The link stops working at once. 404 if the user has no link.
         *
         *     Needs the grant admin on the whole site.
         */
        delete: operations["revoke_user_link"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{id}/shared_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the links that a user has made
         * @description Links to files and previews are listed newest first, links for users by descending user_id. A signed-in user sees all links that he or she created. The grant admin shows the links of all users who hold no more than the caller. Another key sees the links to files that it created.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["list_shared_links"];
        put?: never;
        post?: never;
        /**
         * Revoke all links that a user has made
         * @description All links of both kinds that the caller sees in the lists stop working at once. Secret addresses of calendars end with their keys: DELETE /api/v2/api_key/{id}.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        delete: operations["revoke_shared_links"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the saved views of the user of this key
         * @description The saved views are the same for every session and key of the user, and deleted with the user. A key must hold everything that its user holds.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_saved_views"];
        put?: never;
        /**
         * Replace the saved views of the user of this key
         * @description Replaces the whole list. The audit trail does not record it. A key must hold everything that its user holds.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["replace_saved_views"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second_factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a second factor for the signed-in user; it is active after confirmation
         * @description Requires the secret of a session. Confirm the second factor within an hour; after that, request a new one. A second factor that is already active stays active until the new one is confirmed.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["begin_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second_factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the second factor with a first code and end all other sessions
         * @description From then on, signing in needs a code in addition to the password. If the response is lost, get new recovery codes with POST /api/v2/me/recovery_codes.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["confirm_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/second_factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor of the signed-in user
         * @description Requires the secret of a session.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["remove_own_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/recovery_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create new recovery codes; the old codes become invalid
         * @description Requires the secret of a session, and a user who has a second factor.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["renew_recovery_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/{id}/second_factor/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor of a user
         * @description For a user who has lost the second factor and the recovery codes. If the user has no second factor, nothing changes. A key cannot remove the second factor of its own user: use POST /api/v2/me/second_factor/remove with the password and a code.
         *
         *     Needs the grant admin on the whole site.
         */
        post: operations["remove_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a file from bytes, or replace the content of one
         * @description Also served as /upload, outside /api/v2. The form has the part Filedata and exactly one of asset_file_id (adds a new version to that file) and asset_category_id (creates a file in that folder). The new version is not live until it is published, unless the part fileState publishes it. An empty part counts as missing. The server never alters a part: it accepts the part as sent or rejects the form. In a quoted file name, %22, %0D and %0A are escapes and a backslash is a literal character. A / in the file name is rejected unless the part name gives another name. Text is UTF-8. A name that is taken is rejected with 409. A file name of a different type than the file it replaces (report.pdf for report.docx) is rejected with 422 unless the parts name and type are sent with it; the part type alone sets the type. pageContent is null in the response. At most 64 forms over 512 KiB or of unknown length are accepted at once (503), at most 16 per key (429); Retry-After says when to try again.
         *
         *     Needs one of the grants create, modify in the folder, depending on the request.
         */
        post: operations["upload_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin a resumable upload
         * @description Resumable uploads follow tus 1.0.0 (https://tus.io), with creation, creation-with-upload, creation-defer-length, termination, checksum and expiration. Upload-Metadata has the keys of the form of POST /upload, with values in base64: exactly one of asset_category_id and asset_file_id, filename, and optionally name, type, title, alt_text, focus, version_note and fileState. filetype, contentType, relativePath, and a type with a slash are ignored. The grants are checked here and with every request that sends bytes. The request may send the first bytes as its body, like PATCH. Only the user who began an upload can continue it.
         *
         *     Needs one of the grants create, modify in the folder, depending on the request.
         */
        post: operations["begin_resumable_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads/{upload}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the offset of a resumable upload
         * @description Clients send HEAD. Upload-Offset equals Upload-Length only if the file has the bytes; Upload-Asset-File-Id then names it. Until the upload expires, a client can find its file here after a lost response.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        get: operations["read_resumable_upload"];
        put?: never;
        post?: never;
        /**
         * Cancel a resumable upload
         * @description Removes the bytes of an unfinished upload. If the upload is complete, the file stays.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        delete: operations["end_resumable_upload"];
        options?: never;
        head?: never;
        /**
         * Append bytes to a resumable upload
         * @description The body is bytes, with "Content-Type: application/offset+octet-stream". Bytes that have arrived are kept if the connection is cut, unless the request has a checksum. A newer request for the same upload ends a running one, which gets 409. The response to the last bytes has the header Upload-Asset-File-Id.
         *
         *     Needs one of the grants create, modify in the folder, depending on the request.
         */
        patch: operations["append_resumable_upload"];
        trace?: never;
    };
    "/file/{number}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file: the live version, with ?state=stage the staged version, with ?version=n that version
         * @description Also served as /file/…, outside /api/v2. The live version needs the grant view, state=stage needs modify, stage or publish, version=n needs modify. The name is the name of the live version: a draft with another name does not change the address. With state or version, the names of the latest and of the staged version are also accepted. Other query parameters are ignored: use ?v=2 to bypass a cache.
         *
         *     Needs one of the grants view, modify, stage, publish in the folder, depending on the request. Public content needs no key.
         */
        get: operations["download_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a snapshot of the whole site as a tar file
         * @description The backup is a consistent snapshot: it contains everything that was acknowledged before the request, and later writes only up to one moment. It unpacks to a directory that `cms-server restore` and `cms-server check` accept. Its last entry, backup.json, has the time of the snapshot and lists what could not be read. The server sends one backup at a time. The backup contains all content and all keys, so it needs every grant on the whole site.
         *
         *     Needs the grant admin on the whole site.
         */
        get: operations["read_backup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stml/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a text of type stml without saving it
         * @description Finds the errors for which saving a file of type stml would be rejected. An editor can use it to mark errors while the user types. The request writes nothing, so an Idempotency-Key is ignored.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["check_stml"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asset_file/{id}/used_on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pages, file groups and entries that use a file
         * @description The pages whose live, staged or latest version leads to the file, in the order of their numbers, as far as the key may see them. An address may use any current or former name of the file, so renames and moves do not matter. A key that sees no drafts gets the pages whose live version leads to the file. With shown=true, only the live pages that show the file: they include it, also through other fragments, or have it as their layout, so a publish of the file changes them. Layouts are not listed. This list has one page, without file groups and entries. At most 2,000 different addresses of each version are considered. The first page of the list also has up to 100 file groups and entries.
         *
         *     Needs the grant view in the folder.
         */
        get: operations["list_asset_file_uses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/file_group/{id}/used_on": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pages that show a file group as a menu
         * @description The pages whose live, staged or latest version has the shortcode [menu group=N] of the file group, in the order of their numbers, as far as the key may see them. A key that sees no drafts gets the pages whose live version has it. With shown=true, only the live pages that show the menu, also through layouts and fragments, so a change of the file group changes them. This list has no further pages.
         *
         *     Needs the grant view in the folder.
         */
        get: operations["list_file_group_uses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the addresses of a text that lead nowhere
         * @description Finds the addresses of a page that lead nowhere, before the page is saved: in attributes and styles of html, stml and svg, in links of md, in url(…) and @import of css, and in the shortcodes get_asset_file_url, include and menu. A relative address starts at the folder of the page. An address that begins with / starts at the root of the site that shows the folder, and is not checked without such a site; /file/{number}/{name} is always checked. Other hosts are never contacted. Up to 10,000 addresses are checked, and 500 listed. The request writes nothing, so an Idempotency-Key is ignored.
         *
         *     Needs the grant view in the folder.
         */
        post: operations["check_links"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/links/check_files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find the addresses of files that lead nowhere after a publish
         * @description Finds the addresses that lead nowhere once the latest versions of these files are live, as check_links does for a text. The files are published together, so an address of one file may lead to another one. Files that the key may not change are ignored. Up to 10,000 addresses are checked, and 500 listed. The request writes nothing, so an Idempotency-Key is ignored.
         *
         *     Needs one of the grants modify, stage, publish in the folder, depending on the request.
         */
        post: operations["check_file_links"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted record with everything that was deleted with it
         * @description The record returns with its identifier, and a file with its versions and its live and staged version. Needs view and delete where the record lay, create in the folder into which it returns, and publish if it becomes visible to visitors. If the name is taken, the response is 409 with a free name in free_name. If the folder is gone, send the identifier of another folder. An entry returns only if it satisfies the current rules of its module. A folder and everything in it become visible at once.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["restore_trash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/trash/bulk_delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Permanently remove all trash items that the key may see
         * @description Removes all items with the state complete that the key may see. To remove exactly the items of a dry run, send the number through of its response.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["bulk_delete_trash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ticket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a download address that needs no header and is valid for five minutes
         * @description For clients that cannot send a header: `<img>`, `<video>`, a download link. The ticket is valid for GET and HEAD of exactly this address until date_expires. It grants what the key may do at the time of the request, and becomes invalid with the key and its secret. If a request also has the header Authorization, the header decides. A browser that loads a script, a style sheet, a worker or a plug-in with a ticket (header Sec-Fetch-Dest) gets 403 ticket-as-code. Tickets exist for downloads: /file/…, the content of a version, the backup, and the feed of a calendar. With permanent, the address of a feed ends only with its key: the secret address for calendar programs that send no password. Deleting or rotating the key withdraws it. The request changes nothing, so an Idempotency-Key is ignored.
         *
         *     Needs a key. The user of the key determines what the key may see and do.
         */
        post: operations["make_ticket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link that shows the staged site until the link expires
         * @description The link shows a site of --site-origin as if everything staged were published: the staged version of each file where there is one, otherwise the live version. Links on its pages stay in the preview. Everybody who has the link sees the preview, without a key. It shows only staged versions that this key may read at the time of the request, and ends with the key, with its secret, or with the session. For a preview that outlasts the session, create a link to a file with the state preview: POST /api/v2/asset_file/{id}/link. The pages are never stored by caches, have X-Robots-Tag: noindex, and set no cookie. Without --site-origin: 404. The request changes nothing, so an Idempotency-Key is ignored.
         *
         *     Needs one of the grants stage, modify, publish in the folder, depending on the request.
         */
        post: operations["make_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all problem codes
         * @description Needs no key.
         */
        get: operations["list_problems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/problems/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a problem and what to do about it
         * @description Needs no key.
         */
        get: operations["read_problem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process runs
         * @description Needs no key.
         */
        get: operations["read_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the server accepts requests
         * @description With 503, `reason` says why: `starting`, `stopping`, `storage-failed`, `read-only` (a write to the disk failed; all changes are rejected until the next start), `storage-slow` (a change is waiting for the disk), or `disk-full` (new content is rejected). Reads still work with the last three. A server that stores its site in a database and an object store also reports `database-away` (nothing can be read or changed) and `store-away` (content that is not on the local machine cannot be read, and new content is rejected).
         *
         *     Needs no key.
         */
        get: operations["read_ready"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read metrics for Prometheus
         * @description Durations of requests and commits, queued work, sizes and free space, in the Prometheus text format. The metrics cover the whole site, so the key must not be limited to a folder. No grant other than admin is needed.
         *
         *     Needs the grant admin on the whole site.
         */
        get: operations["read_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the administration area
         * @description One page serves all addresses of the area. Its script calls this API with the key of the signed-in user.
         *
         *     Needs no key.
         */
        get: operations["show_admin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/{rest}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the administration area
         * @description One page serves all addresses of the area. Its script calls this API with the key of the signed-in user.
         *
         *     Needs no key.
         */
        get: operations["show_admin_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the preview frame of the administration area
         * @description An empty page with an opaque origin. The editor of the administration area shows this page in a frame, which then receives the text to preview. No script of that text runs.
         *
         *     Needs no key.
         */
        get: operations["show_admin_preview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/assets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load an asset of the administration area
         * @description Needs no key.
         */
        get: operations["read_admin_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API pages and documents
         * @description Clients that prefer text/html, such as browsers, are redirected to the administration area.
         *
         *     Needs no key.
         */
        get: operations["read_entrance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API pages and documents
         * @description Clients that prefer text/html, such as browsers, are redirected to the page of the System API.
         *
         *     Needs no key.
         */
        get: operations["read_public_entrance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API pages and documents
         * @description Clients that prefer text/html, such as browsers, are redirected to the page of the System API.
         *
         *     Needs no key.
         */
        get: operations["read_api_entrance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API pages and documents
         * @description Clients that prefer text/html, such as browsers, are redirected to the page of the System API.
         *
         *     Needs no key.
         */
        get: operations["read_docs_entrance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the System API with Swagger UI
         * @description Needs no key.
         */
        get: operations["show_system_api"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/system/swagger.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document of the System API
         * @description Needs no key.
         */
        get: operations["read_system_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/module": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the Module API with Swagger UI
         * @description Needs no key.
         */
        get: operations["show_module_api"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/module/swagger.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the OpenAPI document of the Module API
         * @description Needs no key.
         */
        get: operations["read_module_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/module/modules.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the modules of the Module API
         * @description Needs no key.
         */
        get: operations["list_documented_modules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/module/types.ts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read TypeScript types of the entries of all modules
         * @description Needs no key.
         */
        get: operations["read_module_types"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/api/assets/{version}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load an asset of the API pages
         * @description Needs no key.
         */
        get: operations["read_document_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A folder that contains files and modules. */
        asset_category_selection: {
            /** @description Identifier, never reused. */
            readonly asset_category_id?: number;
            /** @description Unique within its parent folder; case is ignored. */
            name?: string;
            /** @description The parent folder. Null for the root, and if the key has no access to the parent folder. Folders nest at most 64 levels deep, including the root; this also limits moves. */
            parent_category_id?: number | null;
            /** @description Title for display. */
            title?: string | null;
            /** @description Description for display. */
            description?: string | null;
            /** @description True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody may, except with a key. Null: as in the parent folder. A change needs the grant publish. */
            public?: boolean | null;
            /**
             * Format: date-time
             * @description When public was last set to true; null if public is not true.
             */
            readonly public_since?: string | null;
            /** @description Whether the live files of this folder are public: by public here or in a folder above. */
            readonly is_public?: boolean;
            /** @description Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most 200 redirects. A change needs the grant publish. */
            redirects?: {
                from: string;
                to: string;
                /** @enum {integer} */
                status: 301 | 308;
            }[] | null;
            /** @description Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a header. Allowed: Cache-Control, Content-Security-Policy, Content-Security-Policy-Report-Only, Cross-Origin-Embedder-Policy, Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy, Permissions-Policy, Referrer-Policy, X-Frame-Options, X-Robots-Tag. A change needs the grant publish. */
            site_headers?: {
                [key: string]: string;
            } | null;
            /** @description The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish. */
            layout_file_id?: number | null;
            /** @description Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed. */
            keep_versions?: {
                latest?: number;
                days?: number;
                /** @enum {boolean} */
                all?: true;
            } | null;
            /** @description Path of this folder, starting at the root or at the topmost folder from which the key can see every folder; from the root at most 4,096 bytes in UTF-8. A rename or move of a parent folder changes the path but not the ETag. */
            readonly path?: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        page: {
            /** @description Number of the page; null after a cursor. */
            start: number | null;
            length: number;
            /** @description Number of all matches; null if unknown. */
            total: number | null;
            /** @description The cursor of the next page; null: this is the last page. */
            next: string | null;
            /** @description false: the search stopped early, because it had scanned the maximum number of records or run for the maximum time. The page may be empty, and more records may follow: continue with next. Otherwise absent. */
            complete?: boolean;
            /** @description A message for people that suggests another search, if nothing was found and the search has * or % in a text or is case-sensitive. Otherwise absent. */
            hint?: string;
            /** @description With explain=1: the fields whose index was read (index), whether the matches were sorted (isSorted), the records that were examined and returned, and the same for each condition on related records (related). */
            explain?: {
                [key: string]: unknown;
            };
        };
        /** @description Some problems have additional members, such as the identifier of the record that already has a name. */
        problem: {
            /** @description URL of a page that explains the problem. */
            type: string;
            title: string;
            status: number;
            /** @description What to do. */
            detail: string;
            /** @enum {string} */
            code: "module-renamed" | "bad-request" | "bad-json" | "bad-qry" | "ambiguous-column" | "bad-multipart" | "prefetch-refused" | "invalid-request" | "key-required" | "key-invalid" | "sign-in-failed" | "code-required" | "code-wrong" | "oidc-refused" | "session-over" | "link-over" | "session-required" | "oidc-no-user" | "cross-site" | "ticket-as-code" | "grant-missing" | "change-log-gone" | "not-found" | "not-published" | "method-not-allowed" | "not-acceptable" | "request-timeout" | "name-taken" | "address-taken" | "not-unique" | "count-differs" | "not-empty" | "schema-conflict" | "record-changed" | "in-use" | "idempotency-key-in-use" | "answer-lost" | "precondition-failed" | "too-large" | "uri-too-long" | "unsupported-media-type" | "range-not-satisfiable" | "invalid-content" | "picture-refused" | "stml-invalid" | "idempotency-key-reused" | "too-many-requests" | "headers-too-large" | "internal" | "content-damaged" | "record-damaged" | "not-implemented" | "unavailable" | "oidc-unavailable" | "outcome-unknown" | "read-only" | "disk-full" | "upload-offset" | "tus-version" | "checksum-mismatch";
            /** @description Find the cause in the server log by this id. */
            request_id?: string;
            /** @description The errors of the body. If there are more than 100, the last item says how many are left out. */
            errors?: {
                /** @description Place of the error, a JSON pointer (RFC 6901). */
                pointer: string;
                /** @description What is accepted there. */
                detail: string;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description A folder that contains files and modules. */
        asset_category: {
            /** @description Identifier, never reused. */
            readonly asset_category_id: number;
            /** @description Unique within its parent folder; case is ignored. */
            name: string;
            /** @description The parent folder. Null for the root, and if the key has no access to the parent folder. Folders nest at most 64 levels deep, including the root; this also limits moves. */
            parent_category_id: number | null;
            /** @description Title for display. */
            title: string | null;
            /** @description Description for display. */
            description: string | null;
            /** @description True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody may, except with a key. Null: as in the parent folder. A change needs the grant publish. */
            public: boolean | null;
            /**
             * Format: date-time
             * @description When public was last set to true; null if public is not true.
             */
            readonly public_since: string | null;
            /** @description Whether the live files of this folder are public: by public here or in a folder above. */
            readonly is_public: boolean;
            /** @description Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most 200 redirects. A change needs the grant publish. */
            redirects: {
                from: string;
                to: string;
                /** @enum {integer} */
                status: 301 | 308;
            }[] | null;
            /** @description Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a header. Allowed: Cache-Control, Content-Security-Policy, Content-Security-Policy-Report-Only, Cross-Origin-Embedder-Policy, Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy, Permissions-Policy, Referrer-Policy, X-Frame-Options, X-Robots-Tag. A change needs the grant publish. */
            site_headers: {
                [key: string]: string;
            } | null;
            /** @description The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish. */
            layout_file_id: number | null;
            /** @description Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed. */
            keep_versions: {
                latest?: number;
                days?: number;
                /** @enum {boolean} */
                all?: true;
            } | null;
            /** @description Path of this folder, starting at the root or at the topmost folder from which the key can see every folder; from the root at most 4,096 bytes in UTF-8. A rename or move of a parent folder changes the path but not the ETag. */
            readonly path: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description Any file or page. Every save creates a version; visitors see a change only after it is published. */
        asset_file_selection: {
            /** @description Identifier, never reused. */
            readonly asset_file_id?: number;
            /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
            name?: string;
            /** @description A short token: html, stml, pdf, css, png … */
            type?: string;
            /** @description The folder that contains the file. */
            parent_category_id?: number;
            /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
            pageContent?: string | null;
            /** @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState. */
            fileState?: ("publish" | "stage") | null;
            /** @description Title for display. */
            title?: string | null;
            /** @description Description for display. */
            description?: string | null;
            /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
            alt_text?: string | null;
            /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
            focus?: string | null;
            /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
            layout_file_id?: number | null;
            /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
            version_note?: string | null;
            /** @description Number of the latest version. */
            readonly version?: number;
            /** @description Number of the version that visitors see, or null. */
            readonly live_version?: number | null;
            /** @description Number of the staged version, or null. */
            readonly staged_version?: number | null;
            /**
             * @description draft: no version is live or staged. staged: a version is staged and none is live. published: the latest version is live. changed: an earlier version is live.
             * @enum {string}
             */
            readonly state?: "draft" | "staged" | "published" | "changed";
            /** @description Size of the latest version in bytes. */
            readonly size?: number;
            /** @description SHA-256 of the latest version, hexadecimal. */
            readonly sha256?: string;
            /** @description Media type of the latest version. */
            readonly mime_type?: string;
            /** @description Width of the latest version in pixels, if it is a picture (JPEG, PNG, GIF, WebP, AVIF) that the server could measure; otherwise null. Versions of earlier builds have null. */
            readonly width?: number | null;
            /** @description Height, like width. */
            readonly height?: number | null;
            /** @description A placeholder for the picture until it is loaded: ThumbHash in base64, or null. */
            readonly thumbhash?: string | null;
            /** @description False for a file that was never live. True from the first publish on, also after an unpublish. Null for files of earlier builds, until a change while they are live. */
            readonly was_published?: boolean | null;
            /**
             * Format: date-time
             * @description When the live version last changed.
             */
            readonly date_published?: string | null;
            /**
             * Format: date-time
             * @description When the staged version last changed.
             */
            readonly date_staged?: string | null;
            /**
             * Format: date-time
             * @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts.
             */
            publish_at?: string | null;
            /** @description The version that publish_at publishes: the latest version when the time was set. Null for keys that do not see drafts. */
            readonly publish_version?: number | null;
            /**
             * Format: date-time
             * @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts.
             */
            unpublish_at?: string | null;
            /**
             * Format: date-time
             * @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts.
             */
            stage_at?: string | null;
            /** @description The version that stage_at stages: the latest version when the time was set. Null for keys that do not see drafts. */
            readonly stage_version?: number | null;
            /**
             * Format: date-time
             * @description When the server last failed to publish, unpublish or stage the file at a scheduled time; null once a time is set or cleared, or the file is published by hand. Null for keys without the grants publish and stage.
             */
            readonly schedule_failed_at?: string | null;
            /** @description Why the server failed to publish, unpublish or stage the file at a scheduled time; null together with schedule_failed_at. */
            readonly schedule_fault?: {
                /** @enum {string} */
                action: "stage" | "publish" | "unpublish";
                /**
                 * Format: date-time
                 * @description The scheduled time.
                 */
                at: string;
                /** @description The version that was to be published or staged; null for an unpublish. */
                version: number | null;
                /** @description The code of the error: see /problems. */
                code: string;
                detail: string;
            } | null;
            /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
            pinned_versions?: number[] | null;
            /** @description Path of this file, with the name of the live version if there is one. It starts at the root or at the topmost folder from which the key can see every folder. A rename or move of a folder changes the path but not the ETag. */
            readonly path?: string;
            /** @description Download address of the file, with the name of the live version if there is one. */
            readonly url?: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description Any file or page. Every save creates a version; visitors see a change only after it is published. */
        asset_file: {
            /** @description Identifier, never reused. */
            readonly asset_file_id: number;
            /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
            name: string;
            /** @description A short token: html, stml, pdf, css, png … */
            type: string;
            /** @description The folder that contains the file. */
            parent_category_id: number;
            /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
            pageContent: string | null;
            /** @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState. */
            fileState: ("publish" | "stage") | null;
            /** @description Title for display. */
            title: string | null;
            /** @description Description for display. */
            description: string | null;
            /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
            alt_text: string | null;
            /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
            focus: string | null;
            /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
            layout_file_id: number | null;
            /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
            version_note: string | null;
            /** @description Number of the latest version. */
            readonly version: number;
            /** @description Number of the version that visitors see, or null. */
            readonly live_version: number | null;
            /** @description Number of the staged version, or null. */
            readonly staged_version: number | null;
            /**
             * @description draft: no version is live or staged. staged: a version is staged and none is live. published: the latest version is live. changed: an earlier version is live.
             * @enum {string}
             */
            readonly state: "draft" | "staged" | "published" | "changed";
            /** @description Size of the latest version in bytes. */
            readonly size: number;
            /** @description SHA-256 of the latest version, hexadecimal. */
            readonly sha256: string;
            /** @description Media type of the latest version. */
            readonly mime_type: string;
            /** @description Width of the latest version in pixels, if it is a picture (JPEG, PNG, GIF, WebP, AVIF) that the server could measure; otherwise null. Versions of earlier builds have null. */
            readonly width: number | null;
            /** @description Height, like width. */
            readonly height: number | null;
            /** @description A placeholder for the picture until it is loaded: ThumbHash in base64, or null. */
            readonly thumbhash: string | null;
            /** @description False for a file that was never live. True from the first publish on, also after an unpublish. Null for files of earlier builds, until a change while they are live. */
            readonly was_published: boolean | null;
            /**
             * Format: date-time
             * @description When the live version last changed.
             */
            readonly date_published: string | null;
            /**
             * Format: date-time
             * @description When the staged version last changed.
             */
            readonly date_staged: string | null;
            /**
             * Format: date-time
             * @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts.
             */
            publish_at: string | null;
            /** @description The version that publish_at publishes: the latest version when the time was set. Null for keys that do not see drafts. */
            readonly publish_version: number | null;
            /**
             * Format: date-time
             * @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts.
             */
            unpublish_at: string | null;
            /**
             * Format: date-time
             * @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts.
             */
            stage_at: string | null;
            /** @description The version that stage_at stages: the latest version when the time was set. Null for keys that do not see drafts. */
            readonly stage_version: number | null;
            /**
             * Format: date-time
             * @description When the server last failed to publish, unpublish or stage the file at a scheduled time; null once a time is set or cleared, or the file is published by hand. Null for keys without the grants publish and stage.
             */
            readonly schedule_failed_at: string | null;
            /** @description Why the server failed to publish, unpublish or stage the file at a scheduled time; null together with schedule_failed_at. */
            readonly schedule_fault: {
                /** @enum {string} */
                action: "stage" | "publish" | "unpublish";
                /**
                 * Format: date-time
                 * @description The scheduled time.
                 */
                at: string;
                /** @description The version that was to be published or staged; null for an unpublish. */
                version: number | null;
                /** @description The code of the error: see /problems. */
                code: string;
                detail: string;
            } | null;
            /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
            pinned_versions: number[] | null;
            /** @description Path of this file, with the name of the live version if there is one. It starts at the root or at the topmost folder from which the key can see every folder. A rename or move of a folder changes the path but not the ETag. */
            readonly path: string;
            /** @description Download address of the file, with the name of the live version if there is one. */
            readonly url: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description An ordered list of files under one name. */
        file_group_selection: {
            /** @description Identifier, never reused. */
            readonly file_group_id?: number;
            /** @description Name of the group. */
            name?: string;
            /** @description Title for display. */
            title?: string | null;
            /** @description Description for display. */
            description?: string | null;
            /** @description The folder of the group, which decides who may see and change the group. */
            parent_category_id?: number;
            /** @description The files in order, limited to files that the key can see; other files keep their positions when the list is changed. A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list. */
            asset_file_ids?: number[] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description An ordered list of files under one name. */
        file_group: {
            /** @description Identifier, never reused. */
            readonly file_group_id: number;
            /** @description Name of the group. */
            name: string;
            /** @description Title for display. */
            title: string | null;
            /** @description Description for display. */
            description: string | null;
            /** @description The folder of the group, which decides who may see and change the group. */
            parent_category_id: number;
            /** @description The files in order, limited to files that the key can see; other files keep their positions when the list is changed. A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list. */
            asset_file_ids: number[] | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description A table of entries. It is a resource of the Module API as soon as it is created. */
        datatable_selection: {
            /** @description Identifier, never reused. */
            readonly datatable_id?: number;
            /** @description Name, from which module_name is derived. */
            name?: string;
            /** @description The folder of the datatable. */
            parent_category_id?: number;
            /** @description Kind of datatable. */
            datatable_type?: ("Data" | "Form") | null;
            /** @description Name of the column that contains the title of an entry. */
            title_field?: string | null;
            /** @description The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given. */
            table_schema?: string;
            /** @description Title for display. */
            title?: string | null;
            /** @description Description for display. */
            description?: string | null;
            /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
            columns?: {
                name: string;
                renamed_from?: string;
                /** @enum {string} */
                readonly type: "C" | "C2" | "X" | "X2" | "XL" | "B" | "I" | "I1" | "I2" | "I4" | "I8" | "R" | "F" | "N" | "L" | "D" | "T" | "TS" | "ENUM" | "SET" | "MD" | "HTML" | "EMAIL" | "URL" | "COLOR" | "UUID" | "JSON" | "POINT";
                readonly size: number | null;
                readonly scale: number | null;
                /** @description NOTNULL. */
                readonly isRequired: boolean;
                readonly isUnsigned: boolean;
                /** @description UNIQUE, KEY or AUTO. */
                readonly isUnique: boolean;
                /** @description AUTO: the next number if a create gives no value. */
                readonly isAuto: boolean;
                /** @description A value, or {"now": true} for the time of the create. The value of a SET, JSON or POINT is a text, as in CSV. */
                readonly default: boolean | number | string | {
                    [key: string]: unknown;
                } | null;
                /** @description Values of an ENUM or a SET. */
                readonly values: string[] | null;
                /** @description MIN: the lowest value. */
                readonly minimum: string | null;
                /** @description MAX: the highest value. */
                readonly maximum: string | null;
                /** @description LENGTH: the fewest characters. */
                readonly minLength: number | null;
                /** @description LENGTH: the most characters. */
                readonly maxLength: number | null;
                /** @description MATCH: the regular expression (RE2). */
                readonly pattern: string | null;
                /** @description COMPUTED: the expression. */
                readonly computed: string | null;
                /** @description The records to which the values refer. */
                readonly references: {
                    /** @enum {string} */
                    object: "datatable" | "calendar" | "asset_file";
                    /** @description The datatable or calendar. */
                    module_id: number | null;
                    /** @description MANY: a value is a list. */
                    isMany: boolean;
                    /** @enum {string} */
                    onDelete: "restrict" | "set null" | "cascade";
                    /** @description Media types of accepted files. */
                    accept: string[] | null;
                } | null;
            }[];
            /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
            public?: boolean;
            /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
            public_columns?: string[] | null;
            /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
            public_filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When public was last set to true; null if public is false.
             */
            readonly public_since?: string | null;
            /** @description The name in the address of the module. */
            readonly module_name?: string;
            /** @description Address of the module. */
            readonly module_url?: string;
            /** @description Number of entries. */
            readonly entry_count?: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description A table of entries. It is a resource of the Module API as soon as it is created. */
        datatable: {
            /** @description Identifier, never reused. */
            readonly datatable_id: number;
            /** @description Name, from which module_name is derived. */
            name: string;
            /** @description The folder of the datatable. */
            parent_category_id: number;
            /** @description Kind of datatable. */
            datatable_type: ("Data" | "Form") | null;
            /** @description Name of the column that contains the title of an entry. */
            title_field: string | null;
            /** @description The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given. */
            table_schema: string;
            /** @description Title for display. */
            title: string | null;
            /** @description Description for display. */
            description: string | null;
            /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
            columns: {
                name: string;
                renamed_from?: string;
                /** @enum {string} */
                readonly type: "C" | "C2" | "X" | "X2" | "XL" | "B" | "I" | "I1" | "I2" | "I4" | "I8" | "R" | "F" | "N" | "L" | "D" | "T" | "TS" | "ENUM" | "SET" | "MD" | "HTML" | "EMAIL" | "URL" | "COLOR" | "UUID" | "JSON" | "POINT";
                readonly size: number | null;
                readonly scale: number | null;
                /** @description NOTNULL. */
                readonly isRequired: boolean;
                readonly isUnsigned: boolean;
                /** @description UNIQUE, KEY or AUTO. */
                readonly isUnique: boolean;
                /** @description AUTO: the next number if a create gives no value. */
                readonly isAuto: boolean;
                /** @description A value, or {"now": true} for the time of the create. The value of a SET, JSON or POINT is a text, as in CSV. */
                readonly default: boolean | number | string | {
                    [key: string]: unknown;
                } | null;
                /** @description Values of an ENUM or a SET. */
                readonly values: string[] | null;
                /** @description MIN: the lowest value. */
                readonly minimum: string | null;
                /** @description MAX: the highest value. */
                readonly maximum: string | null;
                /** @description LENGTH: the fewest characters. */
                readonly minLength: number | null;
                /** @description LENGTH: the most characters. */
                readonly maxLength: number | null;
                /** @description MATCH: the regular expression (RE2). */
                readonly pattern: string | null;
                /** @description COMPUTED: the expression. */
                readonly computed: string | null;
                /** @description The records to which the values refer. */
                readonly references: {
                    /** @enum {string} */
                    object: "datatable" | "calendar" | "asset_file";
                    /** @description The datatable or calendar. */
                    module_id: number | null;
                    /** @description MANY: a value is a list. */
                    isMany: boolean;
                    /** @enum {string} */
                    onDelete: "restrict" | "set null" | "cascade";
                    /** @description Media types of accepted files. */
                    accept: string[] | null;
                } | null;
            }[];
            /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
            public: boolean;
            /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
            public_columns: string[] | null;
            /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
            public_filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When public was last set to true; null if public is false.
             */
            readonly public_since: string | null;
            /** @description The name in the address of the module. */
            readonly module_name: string;
            /** @description Address of the module. */
            readonly module_url: string;
            /** @description Number of entries. */
            readonly entry_count: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description A calendar of events, with optional additional columns. */
        calendar_selection: {
            /** @description Identifier, never reused. */
            readonly calendar_id?: number;
            /** @description Name, from which module_name is derived. */
            name?: string;
            /** @description The folder of the calendar. */
            parent_category_id?: number;
            /** @description How the calendar is shown. */
            display_type?: ("Calendar" | "News" | "Forum" | "Photos" | "Landing Page" | "Other") | null;
            /** @description IANA name of the time zone in which recurring entries keep their time of day. */
            time_zone?: string | null;
            /** @description Name of a column that contains the title of an entry. */
            title_field?: string | null;
            /** @description Additional columns of its entries, in ADOdb style. */
            table_schema?: string | null;
            /** @description Title for display. */
            title?: string | null;
            /** @description Description for display. */
            description?: string | null;
            /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
            columns?: {
                name: string;
                renamed_from?: string;
                /** @enum {string} */
                readonly type: "C" | "C2" | "X" | "X2" | "XL" | "B" | "I" | "I1" | "I2" | "I4" | "I8" | "R" | "F" | "N" | "L" | "D" | "T" | "TS" | "ENUM" | "SET" | "MD" | "HTML" | "EMAIL" | "URL" | "COLOR" | "UUID" | "JSON" | "POINT";
                readonly size: number | null;
                readonly scale: number | null;
                /** @description NOTNULL. */
                readonly isRequired: boolean;
                readonly isUnsigned: boolean;
                /** @description UNIQUE, KEY or AUTO. */
                readonly isUnique: boolean;
                /** @description AUTO: the next number if a create gives no value. */
                readonly isAuto: boolean;
                /** @description A value, or {"now": true} for the time of the create. The value of a SET, JSON or POINT is a text, as in CSV. */
                readonly default: boolean | number | string | {
                    [key: string]: unknown;
                } | null;
                /** @description Values of an ENUM or a SET. */
                readonly values: string[] | null;
                /** @description MIN: the lowest value. */
                readonly minimum: string | null;
                /** @description MAX: the highest value. */
                readonly maximum: string | null;
                /** @description LENGTH: the fewest characters. */
                readonly minLength: number | null;
                /** @description LENGTH: the most characters. */
                readonly maxLength: number | null;
                /** @description MATCH: the regular expression (RE2). */
                readonly pattern: string | null;
                /** @description COMPUTED: the expression. */
                readonly computed: string | null;
                /** @description The records to which the values refer. */
                readonly references: {
                    /** @enum {string} */
                    object: "datatable" | "calendar" | "asset_file";
                    /** @description The datatable or calendar. */
                    module_id: number | null;
                    /** @description MANY: a value is a list. */
                    isMany: boolean;
                    /** @enum {string} */
                    onDelete: "restrict" | "set null" | "cascade";
                    /** @description Media types of accepted files. */
                    accept: string[] | null;
                } | null;
            }[];
            /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
            public?: boolean;
            /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
            public_columns?: string[] | null;
            /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
            public_filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When public was last set to true; null if public is false.
             */
            readonly public_since?: string | null;
            /** @description The name in the address of the module. */
            readonly module_name?: string;
            /** @description Address of the module. */
            readonly module_url?: string;
            /** @description Number of entries. */
            readonly entry_count?: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description A calendar of events, with optional additional columns. */
        calendar: {
            /** @description Identifier, never reused. */
            readonly calendar_id: number;
            /** @description Name, from which module_name is derived. */
            name: string;
            /** @description The folder of the calendar. */
            parent_category_id: number;
            /** @description How the calendar is shown. */
            display_type: ("Calendar" | "News" | "Forum" | "Photos" | "Landing Page" | "Other") | null;
            /** @description IANA name of the time zone in which recurring entries keep their time of day. */
            time_zone: string | null;
            /** @description Name of a column that contains the title of an entry. */
            title_field: string | null;
            /** @description Additional columns of its entries, in ADOdb style. */
            table_schema: string | null;
            /** @description Title for display. */
            title: string | null;
            /** @description Description for display. */
            description: string | null;
            /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
            columns: {
                name: string;
                renamed_from?: string;
                /** @enum {string} */
                readonly type: "C" | "C2" | "X" | "X2" | "XL" | "B" | "I" | "I1" | "I2" | "I4" | "I8" | "R" | "F" | "N" | "L" | "D" | "T" | "TS" | "ENUM" | "SET" | "MD" | "HTML" | "EMAIL" | "URL" | "COLOR" | "UUID" | "JSON" | "POINT";
                readonly size: number | null;
                readonly scale: number | null;
                /** @description NOTNULL. */
                readonly isRequired: boolean;
                readonly isUnsigned: boolean;
                /** @description UNIQUE, KEY or AUTO. */
                readonly isUnique: boolean;
                /** @description AUTO: the next number if a create gives no value. */
                readonly isAuto: boolean;
                /** @description A value, or {"now": true} for the time of the create. The value of a SET, JSON or POINT is a text, as in CSV. */
                readonly default: boolean | number | string | {
                    [key: string]: unknown;
                } | null;
                /** @description Values of an ENUM or a SET. */
                readonly values: string[] | null;
                /** @description MIN: the lowest value. */
                readonly minimum: string | null;
                /** @description MAX: the highest value. */
                readonly maximum: string | null;
                /** @description LENGTH: the fewest characters. */
                readonly minLength: number | null;
                /** @description LENGTH: the most characters. */
                readonly maxLength: number | null;
                /** @description MATCH: the regular expression (RE2). */
                readonly pattern: string | null;
                /** @description COMPUTED: the expression. */
                readonly computed: string | null;
                /** @description The records to which the values refer. */
                readonly references: {
                    /** @enum {string} */
                    object: "datatable" | "calendar" | "asset_file";
                    /** @description The datatable or calendar. */
                    module_id: number | null;
                    /** @description MANY: a value is a list. */
                    isMany: boolean;
                    /** @enum {string} */
                    onDelete: "restrict" | "set null" | "cascade";
                    /** @description Media types of accepted files. */
                    accept: string[] | null;
                } | null;
            }[];
            /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
            public: boolean;
            /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
            public_columns: string[] | null;
            /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
            public_filter: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When public was last set to true; null if public is false.
             */
            readonly public_since: string | null;
            /** @description The name in the address of the module. */
            readonly module_name: string;
            /** @description Address of the module. */
            readonly module_url: string;
            /** @description Number of entries. */
            readonly entry_count: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description An account with a role, and optionally other roles in folders. Its keys use the grants of these roles. */
        user_selection: {
            /** @description Identifier, never reused. */
            readonly user_id?: number;
            /** @description Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had. */
            name?: string;
            /** @description The name of the person, which the administration area shows. It can be changed, and need not be unique. Null for a key without the admin grant, except for the signed-in user. */
            display_name?: string | null;
            /** @description The role everywhere except in the folders of category_roles: viewer, stager, editor, admin, or the name of a role of the site; null: none. */
            role?: string | null;
            /** @description Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a folder gets only the roles in the folders that it can see. */
            category_roles?: {
                asset_category_id: number;
                role: string | null;
            }[] | null;
            /** @description The grants of the roles of the site that the user has, by name; null if the user has none of them. */
            readonly role_grants?: {
                [key: string]: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
            } | null;
            /** @description Earlier names, the newest first; null if the name never changed. No other user can have them. Null for a key without the admin grant, except for the signed-in user. */
            readonly former_names?: string[] | null;
            /** @description While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently. */
            status?: ("active" | "disabled") | null;
            /** @description Email address for sign-in through a provider and for mail, if the server sends mail. Null for a key without the admin grant, except for the signed-in user. */
            email?: string | null;
            /** @description Whether the user can sign in at /admin with a password. Null for a key without the admin grant, except for the signed-in user. */
            readonly has_password?: boolean | null;
            /** @description Whether sign-in requires a code in addition to the password. Null for a key without the admin grant, except for the signed-in user. */
            readonly has_second_factor?: boolean | null;
            /**
             * Format: date-time
             * @description When the link expires by which the user can set a password; null without a link. The date may have passed. Null for a key without the admin grant, except for the signed-in user.
             */
            readonly date_link_expires?: string | null;
            /** @description Number of unused recovery codes; 0 without a second factor. Null for a key without the admin grant, except for the signed-in user. */
            readonly recovery_codes_left?: number | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description An account with a role, and optionally other roles in folders. Its keys use the grants of these roles. */
        user: {
            /** @description Identifier, never reused. */
            readonly user_id: number;
            /** @description Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had. */
            name: string;
            /** @description The name of the person, which the administration area shows. It can be changed, and need not be unique. Null for a key without the admin grant, except for the signed-in user. */
            display_name: string | null;
            /** @description The role everywhere except in the folders of category_roles: viewer, stager, editor, admin, or the name of a role of the site; null: none. */
            role: string | null;
            /** @description Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a folder gets only the roles in the folders that it can see. */
            category_roles: {
                asset_category_id: number;
                role: string | null;
            }[] | null;
            /** @description The grants of the roles of the site that the user has, by name; null if the user has none of them. */
            readonly role_grants: {
                [key: string]: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
            } | null;
            /** @description Earlier names, the newest first; null if the name never changed. No other user can have them. Null for a key without the admin grant, except for the signed-in user. */
            readonly former_names: string[] | null;
            /** @description While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently. */
            status: ("active" | "disabled") | null;
            /** @description Email address for sign-in through a provider and for mail, if the server sends mail. Null for a key without the admin grant, except for the signed-in user. */
            email: string | null;
            /** @description Whether the user can sign in at /admin with a password. Null for a key without the admin grant, except for the signed-in user. */
            readonly has_password: boolean | null;
            /** @description Whether sign-in requires a code in addition to the password. Null for a key without the admin grant, except for the signed-in user. */
            readonly has_second_factor: boolean | null;
            /**
             * Format: date-time
             * @description When the link expires by which the user can set a password; null without a link. The date may have passed. Null for a key without the admin grant, except for the signed-in user.
             */
            readonly date_link_expires: string | null;
            /** @description Number of unused recovery codes; 0 without a second factor. Null for a key without the admin grant, except for the signed-in user. */
            readonly recovery_codes_left: number | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description Authenticates requests. A key never grants more than its user has at the time of the request. It can read and change itself and keys of its user that grant no more than itself; with the admin grant, also keys of other users. */
        api_key_selection: {
            /** @description Identifier, never reused. */
            readonly api_key_id?: number;
            /** @description Purpose of the key. */
            name?: string;
            /** @description The user that the key belongs to; default: the caller. It cannot be changed. */
            user_id?: number | null;
            /** @description The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows only creates. */
            grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
            /** @description The folder whose subtree the key is limited to; null: no limit. */
            asset_category_id?: number | null;
            /** @description An inactive key is rejected from its next request on. */
            status?: ("active" | "inactive") | null;
            /**
             * Format: date-time
             * @description The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422.
             */
            date_expires?: string | null;
            /** @description The first characters of the secret, to tell keys apart. */
            readonly hint?: string;
            /** @description The key that created this key, even if it no longer exists; null if it was created on the command line or by a signed-in user. Revoking that key with ?cascade=true also revokes this key. */
            readonly made_by?: number | null;
            /**
             * Format: date-time
             * @description When the user signed in, if the key is a session; null for a key of a program. Deleting a session signs the user out.
             */
            readonly date_signed_in?: string | null;
            /**
             * @description Whether the key is accepted now. inactive: the status of the key is inactive. user-disabled: its user is disabled. expired: the server clock has reached date_expires, even if the clock was set back later.
             * @enum {string}
             */
            readonly state?: "active" | "inactive" | "user-disabled" | "expired";
            /** @description Why the key is rejected; null if it is accepted. */
            readonly state_reason?: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute.
             */
            readonly last_used?: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description Authenticates requests. A key never grants more than its user has at the time of the request. It can read and change itself and keys of its user that grant no more than itself; with the admin grant, also keys of other users. */
        api_key: {
            /** @description Identifier, never reused. */
            readonly api_key_id: number;
            /** @description Purpose of the key. */
            name: string;
            /** @description The user that the key belongs to; default: the caller. It cannot be changed. */
            user_id: number | null;
            /** @description The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows only creates. */
            grants: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
            /** @description The folder whose subtree the key is limited to; null: no limit. */
            asset_category_id: number | null;
            /** @description An inactive key is rejected from its next request on. */
            status: ("active" | "inactive") | null;
            /**
             * Format: date-time
             * @description The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422.
             */
            date_expires: string | null;
            /** @description The first characters of the secret, to tell keys apart. */
            readonly hint: string;
            /** @description The key that created this key, even if it no longer exists; null if it was created on the command line or by a signed-in user. Revoking that key with ?cascade=true also revokes this key. */
            readonly made_by: number | null;
            /**
             * Format: date-time
             * @description When the user signed in, if the key is a session; null for a key of a program. Deleting a session signs the user out.
             */
            readonly date_signed_in: string | null;
            /**
             * @description Whether the key is accepted now. inactive: the status of the key is inactive. user-disabled: its user is disabled. expired: the server clock has reached date_expires, even if the clock was set back later.
             * @enum {string}
             */
            readonly state: "active" | "inactive" | "user-disabled" | "expired";
            /** @description Why the key is rejected; null if it is accepted. */
            readonly state_reason: string | null;
            /**
             * Format: date-time
             * @description When the key was last used, to the minute.
             */
            readonly last_used: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description A named set of grants that users can have, everywhere or in folders, beside the fixed roles viewer, stager, editor and admin. A change applies to all users with the role at their next request. Reading roles needs the admin grant, and changing them every grant on the whole site. */
        role_selection: {
            /** @description Identifier, never reused. */
            readonly role_id?: number;
            /** @description Unique name; case is ignored. Users who have the role keep it under its new name. */
            name?: string;
            /** @description What the role is for. */
            description?: string | null;
            /** @description The grants of users with this role. modify includes create. */
            grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description A named set of grants that users can have, everywhere or in folders, beside the fixed roles viewer, stager, editor and admin. A change applies to all users with the role at their next request. Reading roles needs the admin grant, and changing them every grant on the whole site. */
        role: {
            /** @description Identifier, never reused. */
            readonly role_id: number;
            /** @description Unique name; case is ignored. Users who have the role keep it under its new name. */
            name: string;
            /** @description What the role is for. */
            description: string | null;
            /** @description The grants of users with this role. modify includes create. */
            grants: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description An address to which changes of the site are sent as they happen: all changes, or only some kinds of record or a folder. Deliveries are signed according to Standard Webhooks and sent one at a time, in order. Reading webhooks needs the admin grant on the whole site, changing them every grant there. A webhook continues when the user who created it is deleted. */
        webhook_selection: {
            /** @description Identifier, never reused. */
            readonly webhook_id?: number;
            /** @description Purpose of the webhook. */
            name?: string;
            /** @description Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed. */
            url?: string;
            /** @description Kinds of record whose changes are sent; null: all. */
            objects?: ("asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash")[] | null;
            /** @description The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all. */
            asset_category_id?: number | null;
            /** @description Actions that are sent; null: all. publish and stage also match a create, update or upload that published or staged the file. */
            actions?: ("create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke")[] | null;
            /** @description A paused webhook sends nothing; after a resume it continues where it stopped. */
            status?: ("active" | "paused") | null;
            /** @description All changes up to this sequence number were delivered, or are not sent. */
            readonly position?: number;
            /**
             * @description delivering: it follows the changes. waiting: a delivery failed and is retried at date_retry. given_up: nothing is sent until POST …/resume or …/replay; last_error gives the reason.
             * @enum {string}
             */
            readonly state?: "delivering" | "waiting" | "given_up";
            /** @description Why the last delivery failed or deliveries were given up; null after a successful delivery. */
            readonly last_error?: string | null;
            /**
             * Format: date-time
             * @description When a change was last delivered.
             */
            readonly date_delivered?: string | null;
            /**
             * Format: date-time
             * @description When a waiting delivery is retried.
             */
            readonly date_retry?: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description An address to which changes of the site are sent as they happen: all changes, or only some kinds of record or a folder. Deliveries are signed according to Standard Webhooks and sent one at a time, in order. Reading webhooks needs the admin grant on the whole site, changing them every grant there. A webhook continues when the user who created it is deleted. */
        webhook: {
            /** @description Identifier, never reused. */
            readonly webhook_id: number;
            /** @description Purpose of the webhook. */
            name: string;
            /** @description Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed. */
            url: string;
            /** @description Kinds of record whose changes are sent; null: all. */
            objects: ("asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash")[] | null;
            /** @description The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all. */
            asset_category_id: number | null;
            /** @description Actions that are sent; null: all. publish and stage also match a create, update or upload that published or staged the file. */
            actions: ("create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke")[] | null;
            /** @description A paused webhook sends nothing; after a resume it continues where it stopped. */
            status: ("active" | "paused") | null;
            /** @description All changes up to this sequence number were delivered, or are not sent. */
            readonly position: number;
            /**
             * @description delivering: it follows the changes. waiting: a delivery failed and is retried at date_retry. given_up: nothing is sent until POST …/resume or …/replay; last_error gives the reason.
             * @enum {string}
             */
            readonly state: "delivering" | "waiting" | "given_up";
            /** @description Why the last delivery failed or deliveries were given up; null after a successful delivery. */
            readonly last_error: string | null;
            /**
             * Format: date-time
             * @description When a change was last delivered.
             */
            readonly date_delivered: string | null;
            /**
             * Format: date-time
             * @description When a waiting delivery is retried.
             */
            readonly date_retry: string | null;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description A remark on a file or an entry, for the people who work on it. Comments are never public: reading and writing them needs the grant view together with modify, stage or publish, in the folder of the file, or of the datatable or calendar of the entry. For all other callers, comments do not exist. Only the author, and callers with the grant admin in that folder, may change the text or delete a comment. Comments disappear and return with their target. A comment and the replies to it are a thread, which is resolved and deleted with its first comment. */
        comment_selection: {
            /** @description Identifier, never reused. */
            readonly comment_id?: number;
            /** @description What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed. */
            target?: string;
            /** @description The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. A name that no user has is ordinary text. */
            text?: string;
            /** @description The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed. */
            reply_to?: number | null;
            /** @description Whether the comment is settled. Everybody who may write a comment on the target may change this field. The first comment decides for its thread; in a reply, the value is always false. */
            resolved?: boolean;
            /** @description The mentioned users that the key may see, as in `user`. The server finds them when the text is saved. */
            readonly mentions?: number[];
            /** @description The author. The number stays if the user is deleted. */
            readonly user_id?: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
        };
        /** @description A remark on a file or an entry, for the people who work on it. Comments are never public: reading and writing them needs the grant view together with modify, stage or publish, in the folder of the file, or of the datatable or calendar of the entry. For all other callers, comments do not exist. Only the author, and callers with the grant admin in that folder, may change the text or delete a comment. Comments disappear and return with their target. A comment and the replies to it are a thread, which is resolved and deleted with its first comment. */
        comment: {
            /** @description Identifier, never reused. */
            readonly comment_id: number;
            /** @description What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed. */
            target: string;
            /** @description The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. A name that no user has is ordinary text. */
            text: string;
            /** @description The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed. */
            reply_to: number | null;
            /** @description Whether the comment is settled. Everybody who may write a comment on the target may change this field. The first comment decides for its thread; in a reply, the value is always false. */
            resolved: boolean;
            /** @description The mentioned users that the key may see, as in `user`. The server finds them when the text is saved. */
            readonly mentions: number[];
            /** @description The author. The number stays if the user is deleted. */
            readonly user_id: number;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added: string;
            /**
             * Format: date-time
             * @description When the record was last changed.
             */
            readonly date_modified: string;
            /** @description Name of the user who created the record. */
            readonly owner: string;
        };
        /** @description Every change: what was changed, by whom, when and from where. Each commit that changes visible records writes one row, including commits with which the server removes the content of deleted folders and modules. Read-only. Rows contain names of fields but no values, except for the names of deleted, renamed and moved records. Identifiers increase and may have gaps. */
        audit_selection: {
            /** @description Identifier, never reused. */
            readonly audit_id?: number;
            /** @description Name of the user; null for the command line, and for expired records. */
            readonly user_name?: string | null;
            /** @description Identifier of the user; null for the command line. */
            readonly user_id?: number | null;
            /** @description The key that signed the request; null for the command line. */
            readonly api_key_id?: number | null;
            /** @description Name of the key at that time; null for the command line, and in rows of earlier versions. */
            readonly api_key_name?: string | null;
            /** @description Network address of the client; null for the command line. */
            readonly address?: string | null;
            /** @description The X-Request-Id of the response and of the log line. */
            readonly request_id?: string | null;
            /**
             * @description The requested action. A search for publish or stage also finds a create, update or upload that published or staged the file.
             * @enum {string}
             */
            readonly action?: "create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke" | "sign_in" | "sign_out";
            /** @description Kind of record: asset_file, user, datatable_entry … */
            readonly object?: string;
            /** @description Identifier of the record, or of the first of several records. */
            readonly object_id?: number;
            /** @description Identifier of the last of several records, otherwise object_id. */
            readonly last_object_id?: number;
            /** @description Number of records of this kind: more than 1 for a list of entries. */
            readonly count?: number;
            /** @description The datatable or calendar of an entry. */
            readonly module_id?: number | null;
            /** @description For a file: the saved version, otherwise the version that fileState refers to. */
            readonly version?: number | null;
            /** @description For a file: its fileState if it was published or staged; otherwise null. */
            readonly fileState?: ("publish" | "stage") | null;
            /** @description Names of the fields that an update changed; null for creates and deletes. */
            readonly changed_fields?: string[] | null;
            /** @description The folder that contains or contained the record; for an entry, the folder of its module; for a folder, the folder itself. Null for users and keys, and if changes lists the folders. */
            readonly asset_category_id?: number | null;
            /** @description For a moved record: the previous folder; for a moved folder: its previous parent. */
            readonly previous_category_id?: number | null;
            /** @description Name of a deleted, renamed or moved record after the change, or of the first of several. Null for all other changes. */
            readonly name?: string | null;
            /** @description Path of that record from the root; null if it is in no folder. */
            readonly path?: string | null;
            /** @description The previous name, if it was different. */
            readonly previous_name?: string | null;
            /** @description The previous path, if it was different. */
            readonly previous_path?: string | null;
            /** @description Number of entries that were deleted with a datatable or calendar; null for all other changes. */
            readonly entries?: number | null;
            /** @description For the action schedule_failed: why a time of the file could not be kept; otherwise null. */
            readonly schedule_fault?: {
                /** @enum {string} */
                action: "stage" | "publish" | "unpublish";
                /**
                 * Format: date-time
                 * @description The scheduled time.
                 */
                at: string;
                /** @description The version that was to be published or staged; null for an unpublish. */
                version: number | null;
                /** @description The code of the error: see /problems. */
                code: string;
                detail: string;
            } | null;
            /** @description All changes of a commit that changed more than one kind of record, or records without consecutive identifiers; for example, a deleted file is removed from its groups. Also set if a record was deleted, renamed or moved. */
            readonly changes?: {
                object?: string;
                action?: string;
                /** @description Ranges of identifiers, each with its first and last identifier. */
                ids?: number[][];
                module_id?: number;
                asset_category_id?: number;
                previous_category_id?: number;
                /** @description The folder whose change caused this change, for example a folder that was moved together with its content. */
                through_category_id?: number;
                version?: number;
                fileState?: string;
                changed_fields?: string[];
                /** @description Number of entries that were deleted with a datatable or calendar. */
                entries?: number;
                schedule_fault?: {
                    /** @enum {string} */
                    action: "stage" | "publish" | "unpublish";
                    /**
                     * Format: date-time
                     * @description The scheduled time.
                     */
                    at: string;
                    /** @description The version that was to be published or staged; null for an unpublish. */
                    version: number | null;
                    /** @description The code of the error: see /problems. */
                    code: string;
                    detail: string;
                };
                /** @description One item per identifier, for deleted, renamed and moved records. address_name is omitted if it equals name, and a previous name if it did not change. */
                names?: {
                    name: string;
                    /** @description The name in the address: for a file the name of its live version, for a datatable or calendar its module_name. */
                    address_name?: string;
                    previous_name?: string;
                    previous_address_name?: string;
                }[];
                /** @description The folders that contain or contained these records, from the root down. */
                folders?: {
                    asset_category_id?: number;
                    name?: string;
                }[];
                previous_folders?: {
                    asset_category_id?: number;
                    name?: string;
                }[];
            }[] | null;
            /**
             * Format: date-time
             * @description When the change was made.
             */
            readonly date_added?: string;
        };
        /** @description A deleted file, folder, file group, datatable, calendar or entry that can be restored. An item is visible to callers with the grants view and delete in the folder in which the record lay; if this folder is gone, to administrators of the whole site. */
        trash_selection: {
            /** @description Identifier, never reused. */
            readonly trash_id?: number;
            /**
             * @description Kind of the deleted record.
             * @enum {string}
             */
            readonly object?: "asset_file" | "asset_category" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry";
            /** @description Identifier of the deleted record, or of the first of several entries. A restored record keeps its identifier. */
            readonly object_id?: number;
            /** @description The datatable or calendar of an entry; otherwise null. */
            readonly module_id?: number | null;
            /** @description Name of the record; null for an entry. */
            readonly name?: string | null;
            /** @description The folder in which the record lay; for an entry, the folder of its module at that time. */
            readonly asset_category_id?: number;
            /** @description Path of the record in its folder as it is now; null if the folder is gone, and for an entry. */
            readonly path?: string | null;
            /** @description Name of the user who deleted the record; null for the command line. */
            readonly deleted_by?: string | null;
            /** @description Number of records in the item: files, folders, groups, modules with their entries, and entries. */
            readonly count?: number;
            /** @description Bytes of the contents of all versions of its files. */
            readonly size?: number;
            /**
             * @description complete: the item can be restored. deleting, restoring: this work is still running.
             * @enum {string}
             */
            readonly state?: "complete" | "deleting" | "restoring";
            /**
             * Format: date-time
             * @description When the record was deleted.
             */
            readonly date_added?: string;
        };
        /** @description One saved version of a file. It never changes. */
        asset_file_version: {
            /** @description Identifier, never reused. */
            readonly asset_file_id?: number;
            /** @description Number of the latest version. */
            readonly version?: number;
            /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
            name?: string;
            /** @description A short token: html, stml, pdf, css, png … */
            type?: string;
            /** @description The folder that contains the file. */
            parent_category_id?: number;
            /** @description Title for display. */
            title?: string | null;
            /** @description Description for display. */
            description?: string | null;
            /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
            alt_text?: string | null;
            /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
            focus?: string | null;
            /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
            layout_file_id?: number | null;
            /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
            version_note?: string | null;
            /** @description Width of the latest version in pixels, if it is a picture (JPEG, PNG, GIF, WebP, AVIF) that the server could measure; otherwise null. Versions of earlier builds have null. */
            readonly width?: number | null;
            /** @description Height, like width. */
            readonly height?: number | null;
            /** @description A placeholder for the picture until it is loaded: ThumbHash in base64, or null. */
            readonly thumbhash?: string | null;
            /** @description Size of the latest version in bytes. */
            readonly size?: number;
            /** @description SHA-256 of the latest version, hexadecimal. */
            readonly sha256?: string;
            /** @description Media type of the latest version. */
            readonly mime_type?: string;
            /**
             * Format: date-time
             * @description When the record was created.
             */
            readonly date_added?: string;
            /** @description Name of the user who created the record. */
            readonly owner?: string;
            damaged?: boolean;
            is_live?: boolean;
            is_staged?: boolean;
            is_pinned?: boolean;
        };
        /** @description A link to the live version, the staged version or one numbered version of a file, or to the preview of its site. It needs no key, and stops working when it expires, is revoked, or its creator may no longer read that version. */
        asset_file_link: {
            /** @description Identifier, never reused. */
            readonly asset_file_link_id: number;
            /** @description The file. */
            readonly asset_file_id: number;
            /** @description live: the link returns the version that is live when the link is used. stage: the staged version. preview: the link shows the whole site, beginning at the file, as if everything staged were published. Null if the link is for one numbered version. Default: live. */
            state: ("live" | "stage" | "preview") | null;
            /** @description Number of the version; not allowed together with state. */
            version: number | null;
            /** @description The origin of the site that a link of the state preview shows; default: the site that shows the file. Null for other links. */
            site: string | null;
            /** @description Purpose of the link, for the people who manage the links of the file. */
            note: string | null;
            /** @description The address, which works without a key. Null if the link does not work now, or the key of the request may not read that version. */
            readonly url: string | null;
            /**
             * Format: date-time
             * @description The link stops working at this time.
             */
            readonly date_expires: string;
            /** @description The user who created the link. */
            readonly user_id: number;
            /** @description The key that created the link; null if a signed-in user created it. */
            readonly api_key_id: number | null;
            /**
             * Format: date-time
             * @description When the link was created.
             */
            readonly date_added: string;
            /** @description Name of the user who created the link. */
            readonly owner: string;
        };
    };
    responses: {
        /** @description bad-request: The request is malformed. bad-json: The request body is not valid JSON. bad-qry: The search is not valid. ambiguous-column: The column is ambiguous. bad-multipart: The upload form is not valid. prefetch-refused: This address cannot be prefetched. invalid-request: The Authorization header is malformed. */
        problem_400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description key-required: An API key is required. key-invalid: The API key is not valid. */
        problem_401: {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description grant-missing: The key lacks a grant. */
        problem_403: {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description too-many-requests: Too many requests. */
        problem_429: {
            headers: {
                /** @description Seconds after which to try again, if waiting helps. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description Any other problem, named by code. */
        problem: {
            headers: {
                /** @description The methods of the address, with 405. */
                Allow?: string;
                /** @description Seconds after which to try again, if waiting helps. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description name-taken: The name is taken. address-taken: The address is taken. not-unique: The value is not unique. count-differs: The number of records differs. not-empty: The folder is not empty. schema-conflict: The columns do not fit the entries. record-changed: The record has changed since it was read. in-use: The record is in use. idempotency-key-in-use: The first request is still running. answer-lost: The request was already carried out. upload-offset: The upload continues at another offset. */
        problem_409: {
            headers: {
                /** @description Seconds after which to try again, if waiting helps. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description too-large: The content is too large. */
        problem_413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description unsupported-media-type: The media type is not supported. */
        problem_415: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description invalid-content: The content is not valid. picture-refused: The picture cannot be resized. stml-invalid: The STML is not well formed. idempotency-key-reused: The Idempotency-Key belongs to another request. */
        problem_422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description unavailable: The server is not available. outcome-unknown: The outcome is unknown. read-only: The server is read-only. */
        problem_503: {
            headers: {
                /** @description Seconds after which to try again, if waiting helps. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description disk-full: The disk is full. */
        problem_507: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description not-found: Not found. not-published: Not published. */
        problem_404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description precondition-failed: The record has changed. tus-version: The tus version is not supported. */
        problem_412: {
            headers: {
                /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                ETag?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description unavailable: The server is not available. */
        "problem_503.unavailable": {
            headers: {
                /** @description Seconds after which to try again, if waiting helps. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description ticket-as-code: A ticket cannot load code. grant-missing: The key lacks a grant. */
        "problem_403.grant-missing.ticket-as-code": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description range-not-satisfiable: The range is not satisfiable. */
        problem_416: {
            headers: {
                /** @description The range of bytes in this response. */
                "Content-Range"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description ticket-as-code: A ticket cannot load code. */
        "problem_403.ticket-as-code": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description not-implemented: Not implemented. */
        problem_501: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description change-log-gone: These changes are no longer available. */
        problem_410: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description sign-in-failed: Sign-in failed. code-required: A verification code is required. code-wrong: The verification code is wrong. */
        "problem_401.sign-in-failed.code-required.code-wrong": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description cross-site: The request came from a page of another site. */
        "problem_403.cross-site": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description code-required: A verification code is required. code-wrong: The verification code is wrong. link-over: The link is no longer valid. */
        "problem_401.link-over.code-required.code-wrong": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description link-over: The link is no longer valid. */
        "problem_401.link-over": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description session-over: The session has ended. */
        "problem_401.session-over": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description session-required: A signed-in user is required. grant-missing: The key lacks a grant. */
        "problem_403.grant-missing.session-required": {
            headers: {
                /** @description Accepted authentication: Bearer, and also Basic for the feed of a calendar. With 403, scope names the missing grant. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description in-use: The record is in use. */
        "problem_409.in-use": {
            headers: {
                /** @description Seconds after which to try again, if waiting helps. */
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
        /** @description checksum-mismatch: The checksum differs. */
        problem_460: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    search_asset_category: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: asset_category_id, name, parent_category_id, title, description, public, public_since, layout_file_id, date_added, date_modified, owner. A field may be qualified, as in "asset_category.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: asset_category_id, name, parent_category_id, title, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: asset_category_id, name, parent_category_id, title, description, public, public_since, is_public, redirects, site_headers, layout_file_id, keep_versions, path, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category": [
                     *         {
                     *           "asset_category_id": 13,
                     *           "name": "Press",
                     *           "parent_category_id": 1,
                     *           "title": null,
                     *           "description": null,
                     *           "public": null,
                     *           "public_since": null,
                     *           "is_public": false,
                     *           "redirects": null,
                     *           "site_headers": null,
                     *           "layout_file_id": null,
                     *           "keep_versions": null,
                     *           "path": "/Main/Press",
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        asset_category: components["schemas"]["asset_category_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_asset_category: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Press",
                 *       "parent_category_id": 1
                 *     }
                 */
                "application/json": {
                    /** @description Unique within its parent folder; case is ignored. */
                    name: string;
                    /** @description The parent folder. Null for the root, and if the key has no access to the parent folder. Folders nest at most 64 levels deep, including the root; this also limits moves. */
                    parent_category_id?: number | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody may, except with a key. Null: as in the parent folder. A change needs the grant publish. */
                    public?: boolean | null;
                    /** @description Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most 200 redirects. A change needs the grant publish. */
                    redirects?: {
                        from: string;
                        to: string;
                        /** @enum {integer} */
                        status: 301 | 308;
                    }[] | null;
                    /** @description Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a header. Allowed: Cache-Control, Content-Security-Policy, Content-Security-Policy-Report-Only, Cross-Origin-Embedder-Policy, Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy, Permissions-Policy, Referrer-Policy, X-Frame-Options, X-Robots-Tag. A change needs the grant publish. */
                    site_headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish. */
                    layout_file_id?: number | null;
                    /** @description Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed. */
                    keep_versions?: {
                        latest?: number | null;
                        days?: number | null;
                        /** @enum {boolean|null} */
                        all?: true | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The new asset category. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category_id": 13,
                     *       "name": "Press",
                     *       "parent_category_id": 1,
                     *       "title": null,
                     *       "description": null,
                     *       "public": null,
                     *       "public_since": null,
                     *       "is_public": false,
                     *       "redirects": null,
                     *       "site_headers": null,
                     *       "layout_file_id": null,
                     *       "keep_versions": null,
                     *       "path": "/Main/Press",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_category"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_asset_category: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: asset_category_id, name, parent_category_id, title, description, public, public_since, is_public, redirects, site_headers, layout_file_id, keep_versions, path, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The asset category; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category_id": 13,
                     *       "name": "Press",
                     *       "parent_category_id": 1,
                     *       "title": null,
                     *       "description": null,
                     *       "public": null,
                     *       "public_since": null,
                     *       "is_public": false,
                     *       "redirects": null,
                     *       "site_headers": null,
                     *       "layout_file_id": null,
                     *       "keep_versions": null,
                     *       "path": "/Main/Press",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_category_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_asset_category: {
        parameters: {
            query?: {
                /** @description Only for a body with keep_versions alone: return what the rule would remove, without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Press releases"
                 *     }
                 */
                "application/json": {
                    /** @description Unique within its parent folder; case is ignored. */
                    name?: string | null;
                    /** @description The parent folder. Null for the root, and if the key has no access to the parent folder. Folders nest at most 64 levels deep, including the root; this also limits moves. */
                    parent_category_id?: number | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody may, except with a key. Null: as in the parent folder. A change needs the grant publish. */
                    public?: boolean | null;
                    /** @description Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most 200 redirects. A change needs the grant publish. */
                    redirects?: {
                        from: string;
                        to: string;
                        /** @enum {integer} */
                        status: 301 | 308;
                    }[] | null;
                    /** @description Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a header. Allowed: Cache-Control, Content-Security-Policy, Content-Security-Policy-Report-Only, Cross-Origin-Embedder-Policy, Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy, Permissions-Policy, Referrer-Policy, X-Frame-Options, X-Robots-Tag. A change needs the grant publish. */
                    site_headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish. */
                    layout_file_id?: number | null;
                    /** @description Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed. */
                    keep_versions?: {
                        latest?: number | null;
                        days?: number | null;
                        /** @enum {boolean|null} */
                        all?: true | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The asset category after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category_id": 13,
                     *       "name": "Press",
                     *       "parent_category_id": 1,
                     *       "title": "Press releases",
                     *       "description": null,
                     *       "public": null,
                     *       "public_since": null,
                     *       "is_public": false,
                     *       "redirects": null,
                     *       "site_headers": null,
                     *       "layout_file_id": null,
                     *       "keep_versions": null,
                     *       "path": "/Main/Press",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_category"] | {
                        plan: {
                            /** @description Files that would lose versions. */
                            files: number;
                            /** @description Versions that would be removed. */
                            versions: number;
                            /** @description Bytes that would be freed. */
                            size: number;
                            /** @description False if the folder has too many versions to examine all of them. */
                            is_complete: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_asset_category: {
        parameters: {
            query?: {
                /** @description Also delete all contents of the folder; otherwise it must be empty. */
                recursive?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_asset_category: {
        parameters: {
            query?: {
                /** @description Only for a body with keep_versions alone: return what the rule would remove, without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Press releases"
                 *     }
                 */
                "application/json": {
                    /** @description Unique within its parent folder; case is ignored. */
                    name?: string | null;
                    /** @description The parent folder. Null for the root, and if the key has no access to the parent folder. Folders nest at most 64 levels deep, including the root; this also limits moves. */
                    parent_category_id?: number | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody may, except with a key. Null: as in the parent folder. A change needs the grant publish. */
                    public?: boolean | null;
                    /** @description Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most 200 redirects. A change needs the grant publish. */
                    redirects?: {
                        from: string;
                        to: string;
                        /** @enum {integer} */
                        status: 301 | 308;
                    }[] | null;
                    /** @description Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a header. Allowed: Cache-Control, Content-Security-Policy, Content-Security-Policy-Report-Only, Cross-Origin-Embedder-Policy, Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy, Permissions-Policy, Referrer-Policy, X-Frame-Options, X-Robots-Tag. A change needs the grant publish. */
                    site_headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish. */
                    layout_file_id?: number | null;
                    /** @description Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed. */
                    keep_versions?: {
                        latest?: number | null;
                        days?: number | null;
                        /** @enum {boolean|null} */
                        all?: true | null;
                    } | null;
                };
                /**
                 * @example {
                 *       "title": "Press releases"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Unique within its parent folder; case is ignored. */
                    name?: string;
                    /** @description The parent folder. Null for the root, and if the key has no access to the parent folder. Folders nest at most 64 levels deep, including the root; this also limits moves. */
                    parent_category_id?: number;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description True: everybody may read the live files of this folder and of the folders below it, without a key. False: nobody may, except with a key. Null: as in the parent folder. A change needs the grant publish. */
                    public?: boolean | null;
                    /** @description Redirects on the site for paths of this folder that have no live file. Both paths begin with a slash and are relative to the folder; to can also be an address with http or https. A /* at the end of from matches the rest of every path, and a /* at the end of to inserts this rest. At most 200 redirects. A change needs the grant publish. */
                    redirects?: {
                        from: string;
                        to: string;
                        /** @enum {integer} */
                        status: 301 | 308;
                    }[] | null;
                    /** @description Headers of the live files of this folder and the folders below it on the site; the nearest folder decides, and "" omits a header. Allowed: Cache-Control, Content-Security-Policy, Content-Security-Policy-Report-Only, Cross-Origin-Embedder-Policy, Cross-Origin-Opener-Policy, Cross-Origin-Resource-Policy, Permissions-Policy, Referrer-Policy, X-Frame-Options, X-Robots-Tag. A change needs the grant publish. */
                    site_headers?: {
                        [key: string]: string;
                    } | null;
                    /** @description The layout of the pages of this folder and the folders below it on the site: the identifier of a live file of type html or stml with [page_content]. 0: no layout. Null: as in the parent folder. A change needs the grant publish. */
                    layout_file_id?: number | null;
                    /** @description Which versions of the files in this folder and in the folders below stay: {"latest": 10, "days": 30} keeps the latest 10 versions of a file and all versions younger than 30 days; {"all": true} keeps all; null: as in the parent folder. All other versions are removed in the background, except for the live, the staged, scheduled and pinned ones. A change needs the grant delete here and in all folders below. ?dry_run=true returns what would be removed. */
                    keep_versions?: {
                        latest?: number;
                        days?: number;
                        /** @enum {boolean} */
                        all?: true;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The asset category after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category_id": 13,
                     *       "name": "Press",
                     *       "parent_category_id": 1,
                     *       "title": "Press releases",
                     *       "description": null,
                     *       "public": null,
                     *       "public_since": null,
                     *       "is_public": false,
                     *       "redirects": null,
                     *       "site_headers": null,
                     *       "layout_file_id": null,
                     *       "keep_versions": null,
                     *       "path": "/Main/Press",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_category"] | {
                        plan: {
                            /** @description Files that would lose versions. */
                            files: number;
                            /** @description Versions that would be removed. */
                            versions: number;
                            /** @description Bytes that would be freed. */
                            size: number;
                            /** @description False if the folder has too many versions to examine all of them. */
                            is_complete: boolean;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_asset_category_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category": [
                     *         {
                     *           "asset_category_id": 13,
                     *           "name": "Press",
                     *           "parent_category_id": 1,
                     *           "title": null,
                     *           "description": null,
                     *           "public": null,
                     *           "public_since": null,
                     *           "is_public": false,
                     *           "redirects": null,
                     *           "site_headers": null,
                     *           "layout_file_id": null,
                     *           "keep_versions": null,
                     *           "path": "/Main/Press",
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        asset_category: components["schemas"]["asset_category_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_asset_file: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: asset_file_id, name, type, parent_category_id, fileState, title, description, alt_text, focus, layout_file_id, version, live_version, staged_version, state, size, sha256, mime_type, width, height, thumbhash, was_published, date_published, date_staged, publish_at, publish_version, unpublish_at, stage_at, stage_version, schedule_failed_at, url, date_added, date_modified, owner. A field may be qualified, as in "asset_file.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: asset_file_id, name, type, parent_category_id, fileState, title, version, live_version, staged_version, state, size, sha256, mime_type, date_published, date_staged, publish_at, unpublish_at, stage_at, schedule_failed_at, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: asset_file_id, name, type, parent_category_id, pageContent, fileState, title, description, alt_text, focus, layout_file_id, version_note, version, live_version, staged_version, state, size, sha256, mime_type, width, height, thumbhash, was_published, date_published, date_staged, publish_at, publish_version, unpublish_at, stage_at, stage_version, schedule_failed_at, schedule_fault, pinned_versions, path, url, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "name": "hello.html",
                     *           "type": "html",
                     *           "parent_category_id": 1,
                     *           "fileState": "publish",
                     *           "title": null,
                     *           "description": null,
                     *           "alt_text": null,
                     *           "focus": null,
                     *           "layout_file_id": null,
                     *           "version_note": null,
                     *           "version": 1,
                     *           "live_version": 1,
                     *           "staged_version": 1,
                     *           "state": "published",
                     *           "size": 12,
                     *           "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *           "mime_type": "text/html",
                     *           "width": null,
                     *           "height": null,
                     *           "thumbhash": null,
                     *           "was_published": true,
                     *           "date_published": "2026-01-31T12:00:00.000Z",
                     *           "date_staged": "2026-01-31T12:00:00.000Z",
                     *           "publish_at": null,
                     *           "publish_version": null,
                     *           "unpublish_at": null,
                     *           "stage_at": null,
                     *           "stage_version": null,
                     *           "schedule_failed_at": null,
                     *           "schedule_fault": null,
                     *           "pinned_versions": null,
                     *           "path": "/Main/hello.html",
                     *           "url": "/file/2/hello.html",
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        asset_file: components["schemas"]["asset_file_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 17 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. A text has at most 16 MiB. Upload larger files and files that are not text. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "hello.html",
                 *       "type": "html",
                 *       "parent_category_id": 1,
                 *       "pageContent": "<p>Hello</p>",
                 *       "fileState": "publish"
                 *     }
                 */
                "application/json": {
                    /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
                    name: string;
                    /** @description A short token: html, stml, pdf, css, png … */
                    type: string;
                    /** @description The folder that contains the file. */
                    parent_category_id: number;
                    /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
                    pageContent?: string | null;
                    /**
                     * @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState.
                     * @enum {string|null}
                     */
                    fileState?: "publish" | "stage" | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                    alt_text?: string | null;
                    /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                    focus?: string | null;
                    /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
                    layout_file_id?: number | null;
                    /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                    version_note?: string | null;
                    /** @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    publish_at?: string | null;
                    /** @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    unpublish_at?: string | null;
                    /** @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    stage_at?: string | null;
                    /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
                    pinned_versions?: number[] | null;
                };
            };
        };
        responses: {
            /** @description The new asset file. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_asset_file: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: asset_file_id, name, type, parent_category_id, pageContent, fileState, title, description, alt_text, focus, layout_file_id, version_note, version, live_version, staged_version, state, size, sha256, mime_type, width, height, thumbhash, was_published, date_published, date_staged, publish_at, publish_version, unpublish_at, stage_at, stage_version, schedule_failed_at, schedule_fault, pinned_versions, path, url, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The asset file; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 17 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. A text has at most 16 MiB. Upload larger files and files that are not text. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pageContent": "<p>Hello again</p>"
                 *     }
                 */
                "application/json": {
                    /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
                    name?: string | null;
                    /** @description A short token: html, stml, pdf, css, png … */
                    type?: string | null;
                    /** @description The folder that contains the file. */
                    parent_category_id?: number | null;
                    /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
                    pageContent?: string | null;
                    /**
                     * @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState.
                     * @enum {string|null}
                     */
                    fileState?: "publish" | "stage" | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                    alt_text?: string | null;
                    /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                    focus?: string | null;
                    /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
                    layout_file_id?: number | null;
                    /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                    version_note?: string | null;
                    /** @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    publish_at?: string | null;
                    /** @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    unpublish_at?: string | null;
                    /** @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    stage_at?: string | null;
                    /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
                    pinned_versions?: number[] | null;
                };
            };
        };
        responses: {
            /** @description The asset file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello again</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 2,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "changed",
                     *       "size": 18,
                     *       "sha256": "7458f3c96e945ca0b5adc81e4897242e24193fd050165be1c27236fb6ab135cc",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description More records are deleted with this one than fit into one commit. All of them will be deleted, also after a restart; until then the record can be read, but nothing can refer to it. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deletion": "pending"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        deletion: "pending";
                    };
                };
            };
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 17 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. A text has at most 16 MiB. Upload larger files and files that are not text. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pageContent": "<p>Hello again</p>"
                 *     }
                 */
                "application/json": {
                    /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
                    name?: string | null;
                    /** @description A short token: html, stml, pdf, css, png … */
                    type?: string | null;
                    /** @description The folder that contains the file. */
                    parent_category_id?: number | null;
                    /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
                    pageContent?: string | null;
                    /**
                     * @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState.
                     * @enum {string|null}
                     */
                    fileState?: "publish" | "stage" | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                    alt_text?: string | null;
                    /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                    focus?: string | null;
                    /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
                    layout_file_id?: number | null;
                    /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                    version_note?: string | null;
                    /** @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    publish_at?: string | null;
                    /** @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    unpublish_at?: string | null;
                    /** @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    stage_at?: string | null;
                    /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
                    pinned_versions?: number[] | null;
                };
                /**
                 * @example {
                 *       "pageContent": "<p>Hello again</p>"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
                    name?: string;
                    /** @description A short token: html, stml, pdf, css, png … */
                    type?: string;
                    /** @description The folder that contains the file. */
                    parent_category_id?: number;
                    /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
                    pageContent?: string;
                    /** @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState. */
                    fileState?: ("publish" | "stage") | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                    alt_text?: string | null;
                    /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                    focus?: string | null;
                    /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
                    layout_file_id?: number | null;
                    /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                    version_note?: string | null;
                    /** @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    publish_at?: string | null;
                    /** @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    unpublish_at?: string | null;
                    /** @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    stage_at?: string | null;
                    /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
                    pinned_versions?: number[] | null;
                };
            };
        };
        responses: {
            /** @description The asset file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello again</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 2,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "changed",
                     *       "size": 18,
                     *       "sha256": "7458f3c96e945ca0b5adc81e4897242e24193fd050165be1c27236fb6ab135cc",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_asset_file_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "name": "hello.html",
                     *           "type": "html",
                     *           "parent_category_id": 1,
                     *           "fileState": "publish",
                     *           "title": null,
                     *           "description": null,
                     *           "alt_text": null,
                     *           "focus": null,
                     *           "layout_file_id": null,
                     *           "version_note": null,
                     *           "version": 1,
                     *           "live_version": 1,
                     *           "staged_version": 1,
                     *           "state": "published",
                     *           "size": 12,
                     *           "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *           "mime_type": "text/html",
                     *           "width": null,
                     *           "height": null,
                     *           "thumbhash": null,
                     *           "was_published": true,
                     *           "date_published": "2026-01-31T12:00:00.000Z",
                     *           "date_staged": "2026-01-31T12:00:00.000Z",
                     *           "publish_at": null,
                     *           "publish_version": null,
                     *           "unpublish_at": null,
                     *           "stage_at": null,
                     *           "stage_version": null,
                     *           "schedule_failed_at": null,
                     *           "schedule_fault": null,
                     *           "pinned_versions": null,
                     *           "path": "/Main/hello.html",
                     *           "url": "/file/2/hello.html",
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        asset_file: components["schemas"]["asset_file_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    bulk_create_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 17 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. A text has at most 16 MiB. Upload larger files and files that are not text. */
        requestBody: {
            content: {
                /**
                 * @example [
                 *       {
                 *         "name": "first-hello.html",
                 *         "type": "html",
                 *         "parent_category_id": 1,
                 *         "pageContent": "<p>Hello</p>",
                 *         "fileState": "publish"
                 *       },
                 *       {
                 *         "name": "second-hello.html",
                 *         "type": "html",
                 *         "parent_category_id": 1,
                 *         "pageContent": "<p>Hello</p>",
                 *         "fileState": "publish"
                 *       }
                 *     ]
                 */
                "application/json": {
                    /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
                    name: string;
                    /** @description A short token: html, stml, pdf, css, png … */
                    type: string;
                    /** @description The folder that contains the file. */
                    parent_category_id: number;
                    /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
                    pageContent?: string | null;
                    /**
                     * @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState.
                     * @enum {string|null}
                     */
                    fileState?: "publish" | "stage" | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                    alt_text?: string | null;
                    /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                    focus?: string | null;
                    /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
                    layout_file_id?: number | null;
                    /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                    version_note?: string | null;
                    /** @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    publish_at?: string | null;
                    /** @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    unpublish_at?: string | null;
                    /** @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    stage_at?: string | null;
                    /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
                    pinned_versions?: number[] | null;
                }[];
            };
        };
        responses: {
            /** @description The new asset files, in the order of the list. */
            201: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "name": "hello.html",
                     *           "type": "html",
                     *           "parent_category_id": 1,
                     *           "pageContent": "<p>Hello</p>",
                     *           "fileState": "publish",
                     *           "title": null,
                     *           "description": null,
                     *           "alt_text": null,
                     *           "focus": null,
                     *           "layout_file_id": null,
                     *           "version_note": null,
                     *           "version": 1,
                     *           "live_version": 1,
                     *           "staged_version": 1,
                     *           "state": "published",
                     *           "size": 12,
                     *           "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *           "mime_type": "text/html",
                     *           "width": null,
                     *           "height": null,
                     *           "thumbhash": null,
                     *           "was_published": true,
                     *           "date_published": "2026-01-31T12:00:00.000Z",
                     *           "date_staged": "2026-01-31T12:00:00.000Z",
                     *           "publish_at": null,
                     *           "publish_version": null,
                     *           "unpublish_at": null,
                     *           "stage_at": null,
                     *           "stage_version": null,
                     *           "schedule_failed_at": null,
                     *           "schedule_fault": null,
                     *           "pinned_versions": null,
                     *           "path": "/Main/hello.html",
                     *           "url": "/file/2/hello.html",
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        asset_file: components["schemas"]["asset_file_selection"][];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_file_group: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: file_group_id, name, title, description, parent_category_id, asset_file_ids, date_added, date_modified, owner. A field may be qualified, as in "file_group.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: file_group_id, name, title, parent_category_id, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: file_group_id, name, title, description, parent_category_id, asset_file_ids, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_group": [
                     *         {
                     *           "file_group_id": 1,
                     *           "name": "Downloads",
                     *           "title": null,
                     *           "description": null,
                     *           "parent_category_id": 1,
                     *           "asset_file_ids": [],
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        file_group: components["schemas"]["file_group_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_file_group: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Downloads",
                 *       "asset_file_ids": []
                 *     }
                 */
                "application/json": {
                    /** @description Name of the group. */
                    name: string;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The folder of the group, which decides who may see and change the group. */
                    parent_category_id?: number | null;
                    /** @description The files in order, limited to files that the key can see; other files keep their positions when the list is changed. A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list. */
                    asset_file_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description The new file group. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_group_id": 1,
                     *       "name": "Downloads",
                     *       "title": null,
                     *       "description": null,
                     *       "parent_category_id": 1,
                     *       "asset_file_ids": [],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["file_group"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_file_group: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: file_group_id, name, title, description, parent_category_id, asset_file_ids, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file group; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_group_id": 1,
                     *       "name": "Downloads",
                     *       "title": null,
                     *       "description": null,
                     *       "parent_category_id": 1,
                     *       "asset_file_ids": [],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["file_group_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_file_group: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "All downloads"
                 *     }
                 */
                "application/json": {
                    /** @description Name of the group. */
                    name?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The folder of the group, which decides who may see and change the group. */
                    parent_category_id?: number | null;
                    /** @description The files in order, limited to files that the key can see; other files keep their positions when the list is changed. A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list. */
                    asset_file_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description The file group after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_group_id": 1,
                     *       "name": "Downloads",
                     *       "title": "All downloads",
                     *       "description": null,
                     *       "parent_category_id": 1,
                     *       "asset_file_ids": [],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["file_group"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_file_group: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_file_group: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "All downloads"
                 *     }
                 */
                "application/json": {
                    /** @description Name of the group. */
                    name?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The folder of the group, which decides who may see and change the group. */
                    parent_category_id?: number | null;
                    /** @description The files in order, limited to files that the key can see; other files keep their positions when the list is changed. A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list. */
                    asset_file_ids?: number[] | null;
                };
                /**
                 * @example {
                 *       "title": "All downloads"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Name of the group. */
                    name?: string;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The folder of the group, which decides who may see and change the group. */
                    parent_category_id?: number;
                    /** @description The files in order, limited to files that the key can see; other files keep their positions when the list is changed. A deleted file is removed from its groups. In a public folder a change needs the grant publish, because menus of the site show the list. */
                    asset_file_ids?: number[] | null;
                };
            };
        };
        responses: {
            /** @description The file group after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_group_id": 1,
                     *       "name": "Downloads",
                     *       "title": "All downloads",
                     *       "description": null,
                     *       "parent_category_id": 1,
                     *       "asset_file_ids": [],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["file_group"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_file_group_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "file_group": [
                     *         {
                     *           "file_group_id": 1,
                     *           "name": "Downloads",
                     *           "title": null,
                     *           "description": null,
                     *           "parent_category_id": 1,
                     *           "asset_file_ids": [],
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        file_group: components["schemas"]["file_group_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_datatable: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: datatable_id, name, parent_category_id, datatable_type, title_field, table_schema, title, description, public, public_since, module_name, module_url, date_added, date_modified, owner. A field may be qualified, as in "datatable.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: datatable_id, name, parent_category_id, datatable_type, title_field, title, module_name, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: datatable_id, name, parent_category_id, datatable_type, title_field, table_schema, title, description, columns, public, public_columns, public_filter, public_since, module_name, module_url, entry_count, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datatable": [
                     *         {
                     *           "datatable_id": 1,
                     *           "name": "Press releases",
                     *           "parent_category_id": 12,
                     *           "datatable_type": "Data",
                     *           "title_field": "title",
                     *           "table_schema": "title C(255) NOTNULL, body X(Large), released D",
                     *           "title": null,
                     *           "description": null,
                     *           "columns": [
                     *             {
                     *               "name": "title",
                     *               "type": "C",
                     *               "size": 255,
                     *               "scale": null,
                     *               "isRequired": true,
                     *               "isUnsigned": false,
                     *               "isUnique": false,
                     *               "isAuto": false,
                     *               "default": null,
                     *               "values": null,
                     *               "minimum": null,
                     *               "maximum": null,
                     *               "minLength": null,
                     *               "maxLength": null,
                     *               "pattern": null,
                     *               "computed": null,
                     *               "references": null
                     *             },
                     *             {
                     *               "name": "body",
                     *               "type": "X",
                     *               "size": null,
                     *               "scale": null,
                     *               "isRequired": false,
                     *               "isUnsigned": false,
                     *               "isUnique": false,
                     *               "isAuto": false,
                     *               "default": null,
                     *               "values": null,
                     *               "minimum": null,
                     *               "maximum": null,
                     *               "minLength": null,
                     *               "maxLength": null,
                     *               "pattern": null,
                     *               "computed": null,
                     *               "references": null
                     *             },
                     *             {
                     *               "name": "released",
                     *               "type": "D",
                     *               "size": null,
                     *               "scale": null,
                     *               "isRequired": false,
                     *               "isUnsigned": false,
                     *               "isUnique": false,
                     *               "isAuto": false,
                     *               "default": null,
                     *               "values": null,
                     *               "minimum": null,
                     *               "maximum": null,
                     *               "minLength": null,
                     *               "maxLength": null,
                     *               "pattern": null,
                     *               "computed": null,
                     *               "references": null
                     *             }
                     *           ],
                     *           "public": false,
                     *           "public_columns": null,
                     *           "public_filter": null,
                     *           "public_since": null,
                     *           "module_name": "press-releases",
                     *           "module_url": "/api/v2/module/datatable/1/press-releases",
                     *           "entry_count": 0,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        datatable: components["schemas"]["datatable_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_datatable: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Press releases",
                 *       "parent_category_id": 12,
                 *       "datatable_type": "Data",
                 *       "title_field": "title",
                 *       "table_schema": "title C(255) NOTNULL, body X(Large), released D"
                 *     }
                 */
                "application/json": {
                    /** @description Name, from which module_name is derived. */
                    name: string;
                    /** @description The folder of the datatable. */
                    parent_category_id?: number | null;
                    /**
                     * @description Kind of datatable.
                     * @enum {string|null}
                     */
                    datatable_type?: "Data" | "Form" | null;
                    /** @description Name of the column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given. */
                    table_schema: string;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string | null;
                    }[] | null;
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean | null;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The new datatable. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datatable_id": 1,
                     *       "name": "Press releases",
                     *       "parent_category_id": 12,
                     *       "datatable_type": "Data",
                     *       "title_field": "title",
                     *       "table_schema": "title C(255) NOTNULL, body X(Large), released D",
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [
                     *         {
                     *           "name": "title",
                     *           "type": "C",
                     *           "size": 255,
                     *           "scale": null,
                     *           "isRequired": true,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "body",
                     *           "type": "X",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "released",
                     *           "type": "D",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         }
                     *       ],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "press-releases",
                     *       "module_url": "/api/v2/module/datatable/1/press-releases",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["datatable"] & {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_datatable: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: datatable_id, name, parent_category_id, datatable_type, title_field, table_schema, title, description, columns, public, public_columns, public_filter, public_since, module_name, module_url, entry_count, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The datatable; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datatable_id": 1,
                     *       "name": "Press releases",
                     *       "parent_category_id": 12,
                     *       "datatable_type": "Data",
                     *       "title_field": "title",
                     *       "table_schema": "title C(255) NOTNULL, body X(Large), released D",
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [
                     *         {
                     *           "name": "title",
                     *           "type": "C",
                     *           "size": 255,
                     *           "scale": null,
                     *           "isRequired": true,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "body",
                     *           "type": "X",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "released",
                     *           "type": "D",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         }
                     *       ],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "press-releases",
                     *       "module_url": "/api/v2/module/datatable/1/press-releases",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["datatable_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_datatable: {
        parameters: {
            query?: {
                /** @description drop: values that the changed columns cannot keep may be lost. */
                confirm?: "drop";
                /** @description Return the effect of the change as {"plan": …}, without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "table_schema": "title C(255) NOTNULL, body X(Large), released D, author C(80)"
                 *     }
                 */
                "application/json": {
                    /** @description Name, from which module_name is derived. */
                    name?: string | null;
                    /** @description The folder of the datatable. */
                    parent_category_id?: number | null;
                    /**
                     * @description Kind of datatable.
                     * @enum {string|null}
                     */
                    datatable_type?: "Data" | "Form" | null;
                    /** @description Name of the column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given. */
                    table_schema?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string | null;
                    }[] | null;
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean | null;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The datatable after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datatable_id": 1,
                     *       "name": "Press releases",
                     *       "parent_category_id": 12,
                     *       "datatable_type": "Data",
                     *       "title_field": "title",
                     *       "table_schema": "title C(255) NOTNULL, body X(Large), released D, author C(80)",
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [
                     *         {
                     *           "name": "title",
                     *           "type": "C",
                     *           "size": 255,
                     *           "scale": null,
                     *           "isRequired": true,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "body",
                     *           "type": "X",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "released",
                     *           "type": "D",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "author",
                     *           "type": "C",
                     *           "size": 80,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         }
                     *       ],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "press-releases",
                     *       "module_url": "/api/v2/module/datatable/1/press-releases",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": (components["schemas"]["datatable"] & {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                    }) | {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                        plan: {
                            added: string[];
                            renamed: {
                                from: string;
                                to: string;
                            }[];
                            widened: string[];
                            /** @description Dropped columns, each with the number of entries that have a value other than the default that the column gave to all entries when it was added. */
                            dropped: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Narrowed columns, each with the number of entries whose value does not fit and becomes null. */
                            narrowed: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns whose type changes, each with the number of entries whose value changes: the value is converted (007 becomes 7), or becomes null. nulls counts the values that become null. */
                            retyped: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Required columns, each with the number of entries without a value, which must be 0. */
                            required: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Unique columns, and columns that are unique together ("a, b"), each with the number of entries that share the value of an earlier entry. */
                            unique: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns with a new target, each with the number of entries that refer to a record that does not exist, or that the key may not see. */
                            references: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description CHECK rules by their expression, each with the number of entries that break it, which must be 0. */
                            checks: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            refused: {
                                name: string;
                                detail: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_datatable: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_datatable: {
        parameters: {
            query?: {
                /** @description drop: values that the changed columns cannot keep may be lost. */
                confirm?: "drop";
                /** @description Return the effect of the change as {"plan": …}, without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "table_schema": "title C(255) NOTNULL, body X(Large), released D, author C(80)"
                 *     }
                 */
                "application/json": {
                    /** @description Name, from which module_name is derived. */
                    name?: string | null;
                    /** @description The folder of the datatable. */
                    parent_category_id?: number | null;
                    /**
                     * @description Kind of datatable.
                     * @enum {string|null}
                     */
                    datatable_type?: "Data" | "Form" | null;
                    /** @description Name of the column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given. */
                    table_schema?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string | null;
                    }[] | null;
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean | null;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
                /**
                 * @example {
                 *       "table_schema": "title C(255) NOTNULL, body X(Large), released D, author C(80)"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Name, from which module_name is derived. */
                    name?: string;
                    /** @description The folder of the datatable. */
                    parent_category_id?: number;
                    /** @description Kind of datatable. */
                    datatable_type?: ("Data" | "Form") | null;
                    /** @description Name of the column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description The columns in ADOdb style: "title C(255) NOTNULL, body X(Large), price N(8.2)". Returned as given. */
                    table_schema?: string;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string;
                    }[];
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The datatable after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datatable_id": 1,
                     *       "name": "Press releases",
                     *       "parent_category_id": 12,
                     *       "datatable_type": "Data",
                     *       "title_field": "title",
                     *       "table_schema": "title C(255) NOTNULL, body X(Large), released D, author C(80)",
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [
                     *         {
                     *           "name": "title",
                     *           "type": "C",
                     *           "size": 255,
                     *           "scale": null,
                     *           "isRequired": true,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "body",
                     *           "type": "X",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "released",
                     *           "type": "D",
                     *           "size": null,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         },
                     *         {
                     *           "name": "author",
                     *           "type": "C",
                     *           "size": 80,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         }
                     *       ],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "press-releases",
                     *       "module_url": "/api/v2/module/datatable/1/press-releases",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": (components["schemas"]["datatable"] & {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                    }) | {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                        plan: {
                            added: string[];
                            renamed: {
                                from: string;
                                to: string;
                            }[];
                            widened: string[];
                            /** @description Dropped columns, each with the number of entries that have a value other than the default that the column gave to all entries when it was added. */
                            dropped: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Narrowed columns, each with the number of entries whose value does not fit and becomes null. */
                            narrowed: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns whose type changes, each with the number of entries whose value changes: the value is converted (007 becomes 7), or becomes null. nulls counts the values that become null. */
                            retyped: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Required columns, each with the number of entries without a value, which must be 0. */
                            required: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Unique columns, and columns that are unique together ("a, b"), each with the number of entries that share the value of an earlier entry. */
                            unique: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns with a new target, each with the number of entries that refer to a record that does not exist, or that the key may not see. */
                            references: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description CHECK rules by their expression, each with the number of entries that break it, which must be 0. */
                            checks: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            refused: {
                                name: string;
                                detail: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_datatable_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "datatable": [
                     *         {
                     *           "datatable_id": 1,
                     *           "name": "Press releases",
                     *           "parent_category_id": 12,
                     *           "datatable_type": "Data",
                     *           "title_field": "title",
                     *           "table_schema": "title C(255) NOTNULL, body X(Large), released D",
                     *           "title": null,
                     *           "description": null,
                     *           "columns": [
                     *             {
                     *               "name": "title",
                     *               "type": "C",
                     *               "size": 255,
                     *               "scale": null,
                     *               "isRequired": true,
                     *               "isUnsigned": false,
                     *               "isUnique": false,
                     *               "isAuto": false,
                     *               "default": null,
                     *               "values": null,
                     *               "minimum": null,
                     *               "maximum": null,
                     *               "minLength": null,
                     *               "maxLength": null,
                     *               "pattern": null,
                     *               "computed": null,
                     *               "references": null
                     *             },
                     *             {
                     *               "name": "body",
                     *               "type": "X",
                     *               "size": null,
                     *               "scale": null,
                     *               "isRequired": false,
                     *               "isUnsigned": false,
                     *               "isUnique": false,
                     *               "isAuto": false,
                     *               "default": null,
                     *               "values": null,
                     *               "minimum": null,
                     *               "maximum": null,
                     *               "minLength": null,
                     *               "maxLength": null,
                     *               "pattern": null,
                     *               "computed": null,
                     *               "references": null
                     *             },
                     *             {
                     *               "name": "released",
                     *               "type": "D",
                     *               "size": null,
                     *               "scale": null,
                     *               "isRequired": false,
                     *               "isUnsigned": false,
                     *               "isUnique": false,
                     *               "isAuto": false,
                     *               "default": null,
                     *               "values": null,
                     *               "minimum": null,
                     *               "maximum": null,
                     *               "minLength": null,
                     *               "maxLength": null,
                     *               "pattern": null,
                     *               "computed": null,
                     *               "references": null
                     *             }
                     *           ],
                     *           "public": false,
                     *           "public_columns": null,
                     *           "public_filter": null,
                     *           "public_since": null,
                     *           "module_name": "press-releases",
                     *           "module_url": "/api/v2/module/datatable/1/press-releases",
                     *           "entry_count": 0,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        datatable: components["schemas"]["datatable_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_calendar: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: calendar_id, name, parent_category_id, display_type, time_zone, title_field, table_schema, title, description, public, public_since, module_name, module_url, date_added, date_modified, owner. A field may be qualified, as in "calendar.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: calendar_id, name, parent_category_id, display_type, time_zone, title_field, title, module_name, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: calendar_id, name, parent_category_id, display_type, time_zone, title_field, table_schema, title, description, columns, public, public_columns, public_filter, public_since, module_name, module_url, entry_count, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calendar": [
                     *         {
                     *           "calendar_id": 1,
                     *           "name": "Events",
                     *           "parent_category_id": 12,
                     *           "display_type": "Calendar",
                     *           "time_zone": "Europe/Berlin",
                     *           "title_field": null,
                     *           "table_schema": null,
                     *           "title": null,
                     *           "description": null,
                     *           "columns": [],
                     *           "public": false,
                     *           "public_columns": null,
                     *           "public_filter": null,
                     *           "public_since": null,
                     *           "module_name": "events",
                     *           "module_url": "/api/v2/module/calendar/1/events",
                     *           "entry_count": 0,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        calendar: components["schemas"]["calendar_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_calendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Events",
                 *       "display_type": "Calendar",
                 *       "time_zone": "Europe/Berlin"
                 *     }
                 */
                "application/json": {
                    /** @description Name, from which module_name is derived. */
                    name: string;
                    /** @description The folder of the calendar. */
                    parent_category_id?: number | null;
                    /**
                     * @description How the calendar is shown.
                     * @enum {string|null}
                     */
                    display_type?: "Calendar" | "News" | "Forum" | "Photos" | "Landing Page" | "Other" | null;
                    /** @description IANA name of the time zone in which recurring entries keep their time of day. */
                    time_zone?: string | null;
                    /** @description Name of a column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description Additional columns of its entries, in ADOdb style. */
                    table_schema?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string | null;
                    }[] | null;
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean | null;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The new calendar. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calendar_id": 1,
                     *       "name": "Events",
                     *       "parent_category_id": 12,
                     *       "display_type": "Calendar",
                     *       "time_zone": "Europe/Berlin",
                     *       "title_field": null,
                     *       "table_schema": null,
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "events",
                     *       "module_url": "/api/v2/module/calendar/1/events",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["calendar"] & {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_calendar: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: calendar_id, name, parent_category_id, display_type, time_zone, title_field, table_schema, title, description, columns, public, public_columns, public_filter, public_since, module_name, module_url, entry_count, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The calendar; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calendar_id": 1,
                     *       "name": "Events",
                     *       "parent_category_id": 12,
                     *       "display_type": "Calendar",
                     *       "time_zone": "Europe/Berlin",
                     *       "title_field": null,
                     *       "table_schema": null,
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "events",
                     *       "module_url": "/api/v2/module/calendar/1/events",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["calendar_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_calendar: {
        parameters: {
            query?: {
                /** @description drop: values that the changed columns cannot keep may be lost. */
                confirm?: "drop";
                /** @description Return the effect of the change as {"plan": …}, without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "table_schema": "speaker C(120)"
                 *     }
                 */
                "application/json": {
                    /** @description Name, from which module_name is derived. */
                    name?: string | null;
                    /** @description The folder of the calendar. */
                    parent_category_id?: number | null;
                    /**
                     * @description How the calendar is shown.
                     * @enum {string|null}
                     */
                    display_type?: "Calendar" | "News" | "Forum" | "Photos" | "Landing Page" | "Other" | null;
                    /** @description IANA name of the time zone in which recurring entries keep their time of day. */
                    time_zone?: string | null;
                    /** @description Name of a column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description Additional columns of its entries, in ADOdb style. */
                    table_schema?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string | null;
                    }[] | null;
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean | null;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The calendar after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calendar_id": 1,
                     *       "name": "Events",
                     *       "parent_category_id": 12,
                     *       "display_type": "Calendar",
                     *       "time_zone": "Europe/Berlin",
                     *       "title_field": null,
                     *       "table_schema": "speaker C(120)",
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [
                     *         {
                     *           "name": "speaker",
                     *           "type": "C",
                     *           "size": 120,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         }
                     *       ],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "events",
                     *       "module_url": "/api/v2/module/calendar/1/events",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": (components["schemas"]["calendar"] & {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                    }) | {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                        plan: {
                            added: string[];
                            renamed: {
                                from: string;
                                to: string;
                            }[];
                            widened: string[];
                            /** @description Dropped columns, each with the number of entries that have a value other than the default that the column gave to all entries when it was added. */
                            dropped: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Narrowed columns, each with the number of entries whose value does not fit and becomes null. */
                            narrowed: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns whose type changes, each with the number of entries whose value changes: the value is converted (007 becomes 7), or becomes null. nulls counts the values that become null. */
                            retyped: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Required columns, each with the number of entries without a value, which must be 0. */
                            required: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Unique columns, and columns that are unique together ("a, b"), each with the number of entries that share the value of an earlier entry. */
                            unique: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns with a new target, each with the number of entries that refer to a record that does not exist, or that the key may not see. */
                            references: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description CHECK rules by their expression, each with the number of entries that break it, which must be 0. */
                            checks: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            refused: {
                                name: string;
                                detail: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_calendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_calendar: {
        parameters: {
            query?: {
                /** @description drop: values that the changed columns cannot keep may be lost. */
                confirm?: "drop";
                /** @description Return the effect of the change as {"plan": …}, without changing anything. */
                dry_run?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "table_schema": "speaker C(120)"
                 *     }
                 */
                "application/json": {
                    /** @description Name, from which module_name is derived. */
                    name?: string | null;
                    /** @description The folder of the calendar. */
                    parent_category_id?: number | null;
                    /**
                     * @description How the calendar is shown.
                     * @enum {string|null}
                     */
                    display_type?: "Calendar" | "News" | "Forum" | "Photos" | "Landing Page" | "Other" | null;
                    /** @description IANA name of the time zone in which recurring entries keep their time of day. */
                    time_zone?: string | null;
                    /** @description Name of a column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description Additional columns of its entries, in ADOdb style. */
                    table_schema?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string | null;
                    }[] | null;
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean | null;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
                /**
                 * @example {
                 *       "table_schema": "speaker C(120)"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Name, from which module_name is derived. */
                    name?: string;
                    /** @description The folder of the calendar. */
                    parent_category_id?: number;
                    /** @description How the calendar is shown. */
                    display_type?: ("Calendar" | "News" | "Forum" | "Photos" | "Landing Page" | "Other") | null;
                    /** @description IANA name of the time zone in which recurring entries keep their time of day. */
                    time_zone?: string | null;
                    /** @description Name of a column that contains the title of an entry. */
                    title_field?: string | null;
                    /** @description Additional columns of its entries, in ADOdb style. */
                    table_schema?: string | null;
                    /** @description Title for display. */
                    title?: string | null;
                    /** @description Description for display. */
                    description?: string | null;
                    /** @description The columns that table_schema describes. In an update, {"name": "new", "renamed_from": "old"} renames a column and keeps its values. */
                    columns?: {
                        name: string;
                        renamed_from?: string;
                    }[];
                    /** @description True: everybody may read the entries without a key. A change of public, public_columns or public_filter needs the grant publish. */
                    public?: boolean;
                    /** @description The columns that readers without a key see and search; null: all. For a calendar, location and description can also be listed. The identifier, the dates and the times of an event are always public; the owner is never public. */
                    public_columns?: string[] | null;
                    /** @description A qry that selects the entries that readers without a key see, for example {"approved": true}; null: all entries. The filter may also use columns that are not public. */
                    public_filter?: {
                        [key: string]: unknown;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The calendar after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calendar_id": 1,
                     *       "name": "Events",
                     *       "parent_category_id": 12,
                     *       "display_type": "Calendar",
                     *       "time_zone": "Europe/Berlin",
                     *       "title_field": null,
                     *       "table_schema": "speaker C(120)",
                     *       "title": null,
                     *       "description": null,
                     *       "columns": [
                     *         {
                     *           "name": "speaker",
                     *           "type": "C",
                     *           "size": 120,
                     *           "scale": null,
                     *           "isRequired": false,
                     *           "isUnsigned": false,
                     *           "isUnique": false,
                     *           "isAuto": false,
                     *           "default": null,
                     *           "values": null,
                     *           "minimum": null,
                     *           "maximum": null,
                     *           "minLength": null,
                     *           "maxLength": null,
                     *           "pattern": null,
                     *           "computed": null,
                     *           "references": null
                     *         }
                     *       ],
                     *       "public": false,
                     *       "public_columns": null,
                     *       "public_filter": null,
                     *       "public_since": null,
                     *       "module_name": "events",
                     *       "module_url": "/api/v2/module/calendar/1/events",
                     *       "entry_count": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": (components["schemas"]["calendar"] & {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                    }) | {
                        /** @description Warnings about the table_schema that was sent; absent if there are none. */
                        warnings?: string[];
                        plan: {
                            added: string[];
                            renamed: {
                                from: string;
                                to: string;
                            }[];
                            widened: string[];
                            /** @description Dropped columns, each with the number of entries that have a value other than the default that the column gave to all entries when it was added. */
                            dropped: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Narrowed columns, each with the number of entries whose value does not fit and becomes null. */
                            narrowed: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns whose type changes, each with the number of entries whose value changes: the value is converted (007 becomes 7), or becomes null. nulls counts the values that become null. */
                            retyped: {
                                name: string;
                                entries: number;
                                nulls: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Required columns, each with the number of entries without a value, which must be 0. */
                            required: {
                                name: string;
                                entries: number;
                            }[];
                            /** @description Unique columns, and columns that are unique together ("a, b"), each with the number of entries that share the value of an earlier entry. */
                            unique: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description Columns with a new target, each with the number of entries that refer to a record that does not exist, or that the key may not see. */
                            references: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            /** @description CHECK rules by their expression, each with the number of entries that break it, which must be 0. */
                            checks: {
                                name: string;
                                entries: number;
                                /** @description Identifiers of the first of these entries. */
                                examples: number[];
                            }[];
                            refused: {
                                name: string;
                                detail: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_calendar_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calendar": [
                     *         {
                     *           "calendar_id": 1,
                     *           "name": "Events",
                     *           "parent_category_id": 12,
                     *           "display_type": "Calendar",
                     *           "time_zone": "Europe/Berlin",
                     *           "title_field": null,
                     *           "table_schema": null,
                     *           "title": null,
                     *           "description": null,
                     *           "columns": [],
                     *           "public": false,
                     *           "public_columns": null,
                     *           "public_filter": null,
                     *           "public_since": null,
                     *           "module_name": "events",
                     *           "module_url": "/api/v2/module/calendar/1/events",
                     *           "entry_count": 0,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        calendar: components["schemas"]["calendar_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_user: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: user_id, name, display_name, role, status, email, date_added, date_modified, owner. A field may be qualified, as in "user.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: user_id, name, role, status, email, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: user_id, name, display_name, role, category_roles, role_grants, former_names, status, email, has_password, has_second_factor, date_link_expires, recovery_codes_left, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": [
                     *         {
                     *           "user_id": 2,
                     *           "name": "ada",
                     *           "display_name": null,
                     *           "role": "editor",
                     *           "category_roles": [],
                     *           "role_grants": null,
                     *           "former_names": null,
                     *           "status": "active",
                     *           "email": null,
                     *           "has_password": false,
                     *           "has_second_factor": false,
                     *           "date_link_expires": null,
                     *           "recovery_codes_left": 0,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["user_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_user: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ada",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": {
                    /** @description Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had. */
                    name: string;
                    /** @description The name of the person, which the administration area shows. It can be changed, and need not be unique. Null for a key without the admin grant, except for the signed-in user. */
                    display_name?: string | null;
                    /** @description The role everywhere except in the folders of category_roles: viewer, stager, editor, admin, or the name of a role of the site; null: none. */
                    role?: string | null;
                    /** @description Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a folder gets only the roles in the folders that it can see. */
                    category_roles?: {
                        asset_category_id: number;
                        role?: string | null;
                    }[] | null;
                    /**
                     * @description While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently.
                     * @enum {string|null}
                     */
                    status?: "active" | "disabled" | null;
                    /** @description Email address for sign-in through a provider and for mail, if the server sends mail. Null for a key without the admin grant, except for the signed-in user. */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": 2,
                     *       "name": "ada",
                     *       "display_name": null,
                     *       "role": "editor",
                     *       "category_roles": [],
                     *       "role_grants": null,
                     *       "former_names": null,
                     *       "status": "active",
                     *       "email": null,
                     *       "has_password": false,
                     *       "has_second_factor": false,
                     *       "date_link_expires": null,
                     *       "recovery_codes_left": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["user"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_user: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: user_id, name, display_name, role, category_roles, role_grants, former_names, status, email, has_password, has_second_factor, date_link_expires, recovery_codes_left, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": 2,
                     *       "name": "ada",
                     *       "display_name": null,
                     *       "role": "editor",
                     *       "category_roles": [],
                     *       "role_grants": null,
                     *       "former_names": null,
                     *       "status": "active",
                     *       "email": null,
                     *       "has_password": false,
                     *       "has_second_factor": false,
                     *       "date_link_expires": null,
                     *       "recovery_codes_left": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["user_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_user: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": {
                    /** @description Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had. */
                    name?: string | null;
                    /** @description The name of the person, which the administration area shows. It can be changed, and need not be unique. Null for a key without the admin grant, except for the signed-in user. */
                    display_name?: string | null;
                    /** @description The role everywhere except in the folders of category_roles: viewer, stager, editor, admin, or the name of a role of the site; null: none. */
                    role?: string | null;
                    /** @description Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a folder gets only the roles in the folders that it can see. */
                    category_roles?: {
                        asset_category_id: number;
                        role?: string | null;
                    }[] | null;
                    /**
                     * @description While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently.
                     * @enum {string|null}
                     */
                    status?: "active" | "disabled" | null;
                    /** @description Email address for sign-in through a provider and for mail, if the server sends mail. Null for a key without the admin grant, except for the signed-in user. */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description The user after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": 2,
                     *       "name": "ada",
                     *       "display_name": null,
                     *       "role": "viewer",
                     *       "category_roles": [],
                     *       "role_grants": null,
                     *       "former_names": null,
                     *       "status": "active",
                     *       "email": null,
                     *       "has_password": false,
                     *       "has_second_factor": false,
                     *       "date_link_expires": null,
                     *       "recovery_codes_left": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["user"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_user: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 8,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": {
                    /** @description Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had. */
                    name?: string | null;
                    /** @description The name of the person, which the administration area shows. It can be changed, and need not be unique. Null for a key without the admin grant, except for the signed-in user. */
                    display_name?: string | null;
                    /** @description The role everywhere except in the folders of category_roles: viewer, stager, editor, admin, or the name of a role of the site; null: none. */
                    role?: string | null;
                    /** @description Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a folder gets only the roles in the folders that it can see. */
                    category_roles?: {
                        asset_category_id: number;
                        role?: string | null;
                    }[] | null;
                    /**
                     * @description While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently.
                     * @enum {string|null}
                     */
                    status?: "active" | "disabled" | null;
                    /** @description Email address for sign-in through a provider and for mail, if the server sends mail. Null for a key without the admin grant, except for the signed-in user. */
                    email?: string | null;
                };
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had. */
                    name?: string;
                    /** @description The name of the person, which the administration area shows. It can be changed, and need not be unique. Null for a key without the admin grant, except for the signed-in user. */
                    display_name?: string | null;
                    /** @description The role everywhere except in the folders of category_roles: viewer, stager, editor, admin, or the name of a role of the site; null: none. */
                    role?: string | null;
                    /** @description Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a folder gets only the roles in the folders that it can see. */
                    category_roles?: {
                        asset_category_id: number;
                        role?: string;
                    }[] | null;
                    /**
                     * @description While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently.
                     * @enum {string}
                     */
                    status?: "active" | "disabled";
                    /** @description Email address for sign-in through a provider and for mail, if the server sends mail. Null for a key without the admin grant, except for the signed-in user. */
                    email?: string | null;
                };
            };
        };
        responses: {
            /** @description The user after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": 2,
                     *       "name": "ada",
                     *       "display_name": null,
                     *       "role": "viewer",
                     *       "category_roles": [],
                     *       "role_grants": null,
                     *       "former_names": null,
                     *       "status": "active",
                     *       "email": null,
                     *       "has_password": false,
                     *       "has_second_factor": false,
                     *       "date_link_expires": null,
                     *       "recovery_codes_left": 0,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["user"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_user_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": [
                     *         {
                     *           "user_id": 2,
                     *           "name": "ada",
                     *           "display_name": null,
                     *           "role": "editor",
                     *           "category_roles": [],
                     *           "role_grants": null,
                     *           "former_names": null,
                     *           "status": "active",
                     *           "email": null,
                     *           "has_password": false,
                     *           "has_second_factor": false,
                     *           "date_link_expires": null,
                     *           "recovery_codes_left": 0,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["user_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_api_key: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: api_key_id, name, user_id, asset_category_id, status, date_expires, hint, made_by, date_signed_in, date_added, date_modified, owner. A field may be qualified, as in "api_key.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: api_key_id, name, user_id, asset_category_id, status, date_expires, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: api_key_id, name, user_id, grants, asset_category_id, status, date_expires, hint, made_by, date_signed_in, state, state_reason, last_used, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key": [
                     *         {
                     *           "api_key_id": 2,
                     *           "name": "website",
                     *           "user_id": 1,
                     *           "grants": [
                     *             "view"
                     *           ],
                     *           "asset_category_id": null,
                     *           "status": "active",
                     *           "date_expires": null,
                     *           "hint": "cms_eO4e…",
                     *           "made_by": 1,
                     *           "date_signed_in": null,
                     *           "state": "active",
                     *           "state_reason": null,
                     *           "last_used": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        api_key: components["schemas"]["api_key_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_api_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "website",
                 *       "grants": [
                 *         "view"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Purpose of the key. */
                    name: string;
                    /** @description The user that the key belongs to; default: the caller. It cannot be changed. */
                    user_id?: number | null;
                    /** @description The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows only creates. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                    /** @description The folder whose subtree the key is limited to; null: no limit. */
                    asset_category_id?: number | null;
                    /**
                     * @description An inactive key is rejected from its next request on.
                     * @enum {string|null}
                     */
                    status?: "active" | "inactive" | null;
                    /** @description The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    date_expires?: string | null;
                };
            };
        };
        responses: {
            /** @description The new API key. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key_id": 2,
                     *       "name": "website",
                     *       "user_id": 1,
                     *       "grants": [
                     *         "view"
                     *       ],
                     *       "asset_category_id": null,
                     *       "status": "active",
                     *       "date_expires": null,
                     *       "hint": "cms_eO4e…",
                     *       "made_by": 1,
                     *       "date_signed_in": null,
                     *       "state": "active",
                     *       "state_reason": null,
                     *       "last_used": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin",
                     *       "secret": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL"
                     *     }
                     */
                    "application/json": components["schemas"]["api_key"] & {
                        /** @description Shown only once. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_api_key: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: api_key_id, name, user_id, grants, asset_category_id, status, date_expires, hint, made_by, date_signed_in, state, state_reason, last_used, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The API key; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key_id": 2,
                     *       "name": "website",
                     *       "user_id": 1,
                     *       "grants": [
                     *         "view"
                     *       ],
                     *       "asset_category_id": null,
                     *       "status": "active",
                     *       "date_expires": null,
                     *       "hint": "cms_eO4e…",
                     *       "made_by": 1,
                     *       "date_signed_in": null,
                     *       "state": "active",
                     *       "state_reason": null,
                     *       "last_used": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["api_key_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_api_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "inactive"
                 *     }
                 */
                "application/json": {
                    /** @description Purpose of the key. */
                    name?: string | null;
                    /** @description The user that the key belongs to; default: the caller. It cannot be changed. */
                    user_id?: number | null;
                    /** @description The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows only creates. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                    /** @description The folder whose subtree the key is limited to; null: no limit. */
                    asset_category_id?: number | null;
                    /**
                     * @description An inactive key is rejected from its next request on.
                     * @enum {string|null}
                     */
                    status?: "active" | "inactive" | null;
                    /** @description The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    date_expires?: string | null;
                };
            };
        };
        responses: {
            /** @description The API key after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key_id": 2,
                     *       "name": "website",
                     *       "user_id": 1,
                     *       "grants": [
                     *         "view"
                     *       ],
                     *       "asset_category_id": null,
                     *       "status": "inactive",
                     *       "date_expires": null,
                     *       "hint": "cms_eO4e…",
                     *       "made_by": 1,
                     *       "date_signed_in": null,
                     *       "state": "inactive",
                     *       "state_reason": "Its status is inactive.",
                     *       "last_used": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["api_key"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_api_key: {
        parameters: {
            query?: {
                /** @description Also delete all keys that this key has created, directly or through other keys, if the key of the request may delete them. */
                cascade?: boolean;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_api_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "inactive"
                 *     }
                 */
                "application/json": {
                    /** @description Purpose of the key. */
                    name?: string | null;
                    /** @description The user that the key belongs to; default: the caller. It cannot be changed. */
                    user_id?: number | null;
                    /** @description The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows only creates. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                    /** @description The folder whose subtree the key is limited to; null: no limit. */
                    asset_category_id?: number | null;
                    /**
                     * @description An inactive key is rejected from its next request on.
                     * @enum {string|null}
                     */
                    status?: "active" | "inactive" | null;
                    /** @description The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    date_expires?: string | null;
                };
                /**
                 * @example {
                 *       "status": "inactive"
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Purpose of the key. */
                    name?: string;
                    /** @description The user that the key belongs to; default: the caller. It cannot be changed. */
                    user_id?: number;
                    /** @description The grants that the key is limited to; null: all grants of its user. modify includes create; create alone allows only creates. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                    /** @description The folder whose subtree the key is limited to; null: no limit. */
                    asset_category_id?: number | null;
                    /**
                     * @description An inactive key is rejected from its next request on.
                     * @enum {string}
                     */
                    status?: "active" | "inactive";
                    /** @description The key is rejected from this time on; null: it never expires. Stored to the millisecond; with Prefer: handling=strict, a more precise time is rejected with 422. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                    date_expires?: string | null;
                };
            };
        };
        responses: {
            /** @description The API key after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key_id": 2,
                     *       "name": "website",
                     *       "user_id": 1,
                     *       "grants": [
                     *         "view"
                     *       ],
                     *       "asset_category_id": null,
                     *       "status": "inactive",
                     *       "date_expires": null,
                     *       "hint": "cms_eO4e…",
                     *       "made_by": 1,
                     *       "date_signed_in": null,
                     *       "state": "inactive",
                     *       "state_reason": "Its status is inactive.",
                     *       "last_used": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["api_key"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_api_key_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key": [
                     *         {
                     *           "api_key_id": 2,
                     *           "name": "website",
                     *           "user_id": 1,
                     *           "grants": [
                     *             "view"
                     *           ],
                     *           "asset_category_id": null,
                     *           "status": "active",
                     *           "date_expires": null,
                     *           "hint": "cms_eO4e…",
                     *           "made_by": 1,
                     *           "date_signed_in": null,
                     *           "state": "active",
                     *           "state_reason": null,
                     *           "last_used": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        api_key: components["schemas"]["api_key_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_role: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: role_id, name, description, date_added, date_modified, owner. A field may be qualified, as in "role.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: role_id, name, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: role_id, name, description, grants, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": [
                     *         {
                     *           "role_id": 1,
                     *           "name": "translator",
                     *           "description": null,
                     *           "grants": [
                     *             "view",
                     *             "modify"
                     *           ],
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        role: components["schemas"]["role_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_role: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "translator",
                 *       "grants": [
                 *         "view",
                 *         "modify"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Unique name; case is ignored. Users who have the role keep it under its new name. */
                    name: string;
                    /** @description What the role is for. */
                    description?: string | null;
                    /** @description The grants of users with this role. modify includes create. */
                    grants: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
                };
            };
        };
        responses: {
            /** @description The new role. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role_id": 1,
                     *       "name": "translator",
                     *       "description": null,
                     *       "grants": [
                     *         "view",
                     *         "modify"
                     *       ],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["role"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_role: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: role_id, name, description, grants, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role_id": 1,
                     *       "name": "translator",
                     *       "description": null,
                     *       "grants": [
                     *         "view",
                     *         "modify"
                     *       ],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["role_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_role: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Translates pages, but may not delete them."
                 *     }
                 */
                "application/json": {
                    /** @description Unique name; case is ignored. Users who have the role keep it under its new name. */
                    name?: string | null;
                    /** @description What the role is for. */
                    description?: string | null;
                    /** @description The grants of users with this role. modify includes create. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                };
            };
        };
        responses: {
            /** @description The role after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role_id": 1,
                     *       "name": "translator",
                     *       "description": "Translates pages, but may not delete them.",
                     *       "grants": [
                     *         "view",
                     *         "modify"
                     *       ],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["role"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_role: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_role: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Translates pages, but may not delete them."
                 *     }
                 */
                "application/json": {
                    /** @description Unique name; case is ignored. Users who have the role keep it under its new name. */
                    name?: string | null;
                    /** @description What the role is for. */
                    description?: string | null;
                    /** @description The grants of users with this role. modify includes create. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                };
                /**
                 * @example {
                 *       "description": "Translates pages, but may not delete them."
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Unique name; case is ignored. Users who have the role keep it under its new name. */
                    name?: string;
                    /** @description What the role is for. */
                    description?: string | null;
                    /** @description The grants of users with this role. modify includes create. */
                    grants?: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
                };
            };
        };
        responses: {
            /** @description The role after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role_id": 1,
                     *       "name": "translator",
                     *       "description": "Translates pages, but may not delete them.",
                     *       "grants": [
                     *         "view",
                     *         "modify"
                     *       ],
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["role"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_role_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "role": [
                     *         {
                     *           "role_id": 1,
                     *           "name": "translator",
                     *           "description": null,
                     *           "grants": [
                     *             "view",
                     *             "modify"
                     *           ],
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        role: components["schemas"]["role_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_webhook: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: webhook_id, name, url, asset_category_id, status, date_added, date_modified, owner. A field may be qualified, as in "webhook.name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: webhook_id, name, status, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: webhook_id, name, url, objects, asset_category_id, actions, status, position, state, last_error, date_delivered, date_retry, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": [
                     *         {
                     *           "webhook_id": 1,
                     *           "name": "search index",
                     *           "url": "https://search.example.org/changes",
                     *           "objects": null,
                     *           "asset_category_id": null,
                     *           "actions": null,
                     *           "status": "active",
                     *           "position": 7,
                     *           "state": "delivering",
                     *           "last_error": null,
                     *           "date_delivered": null,
                     *           "date_retry": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["webhook_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "search index",
                 *       "url": "https://search.example.org/changes"
                 *     }
                 */
                "application/json": {
                    /** @description Purpose of the webhook. */
                    name: string;
                    /** @description Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed. */
                    url: string;
                    /** @description Kinds of record whose changes are sent; null: all. */
                    objects?: ("asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash")[] | null;
                    /** @description The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all. */
                    asset_category_id?: number | null;
                    /** @description Actions that are sent; null: all. publish and stage also match a create, update or upload that published or staged the file. */
                    actions?: ("create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke")[] | null;
                    /**
                     * @description A paused webhook sends nothing; after a resume it continues where it stopped.
                     * @enum {string|null}
                     */
                    status?: "active" | "paused" | null;
                };
            };
        };
        responses: {
            /** @description The new webhook. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": null,
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwN2zG1FQ5rXo="
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"] & {
                        /** @description Secret that signs deliveries. Shown only once. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_webhook: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: webhook_id, name, url, objects, asset_category_id, actions, status, position, state, last_error, date_delivered, date_retry, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": null,
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["webhook_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "objects": [
                 *         "asset_file"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Purpose of the webhook. */
                    name?: string | null;
                    /** @description Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed. */
                    url?: string | null;
                    /** @description Kinds of record whose changes are sent; null: all. */
                    objects?: ("asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash")[] | null;
                    /** @description The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all. */
                    asset_category_id?: number | null;
                    /** @description Actions that are sent; null: all. publish and stage also match a create, update or upload that published or staged the file. */
                    actions?: ("create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke")[] | null;
                    /**
                     * @description A paused webhook sends nothing; after a resume it continues where it stopped.
                     * @enum {string|null}
                     */
                    status?: "active" | "paused" | null;
                };
            };
        };
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": [
                     *         "asset_file"
                     *       ],
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "objects": [
                 *         "asset_file"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Purpose of the webhook. */
                    name?: string | null;
                    /** @description Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed. */
                    url?: string | null;
                    /** @description Kinds of record whose changes are sent; null: all. */
                    objects?: ("asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash")[] | null;
                    /** @description The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all. */
                    asset_category_id?: number | null;
                    /** @description Actions that are sent; null: all. publish and stage also match a create, update or upload that published or staged the file. */
                    actions?: ("create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke")[] | null;
                    /**
                     * @description A paused webhook sends nothing; after a resume it continues where it stopped.
                     * @enum {string|null}
                     */
                    status?: "active" | "paused" | null;
                };
                /**
                 * @example {
                 *       "objects": [
                 *         "asset_file"
                 *       ]
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description Purpose of the webhook. */
                    name?: string;
                    /** @description Address that receives changes by POST: https, or http for addresses in --webhook-allow. Addresses of private networks are rejected, even if a name resolves to them, unless --webhook-allow lists them; redirects are not followed. */
                    url?: string;
                    /** @description Kinds of record whose changes are sent; null: all. */
                    objects?: ("asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash")[] | null;
                    /** @description The folder whose subtree is reported; changes of records that are in no folder are then not sent. Null: all. */
                    asset_category_id?: number | null;
                    /** @description Actions that are sent; null: all. publish and stage also match a create, update or upload that published or staged the file. */
                    actions?: ("create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke")[] | null;
                    /**
                     * @description A paused webhook sends nothing; after a resume it continues where it stopped.
                     * @enum {string}
                     */
                    status?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": [
                     *         "asset_file"
                     *       ],
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_webhook_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": [
                     *         {
                     *           "webhook_id": 1,
                     *           "name": "search index",
                     *           "url": "https://search.example.org/changes",
                     *           "objects": null,
                     *           "asset_category_id": null,
                     *           "actions": null,
                     *           "status": "active",
                     *           "position": 7,
                     *           "state": "delivering",
                     *           "last_error": null,
                     *           "date_delivered": null,
                     *           "date_retry": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["webhook_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_comment: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: comment_id, target, text, reply_to, resolved, user_id, date_added, date_modified, owner. A field may be qualified, as in "comment.target". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: comment_id, target, reply_to, resolved, user_id, date_added, date_modified, owner. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: comment_id, target, text, reply_to, resolved, mentions, user_id, date_added, date_modified, owner. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment": [
                     *         {
                     *           "comment_id": 1,
                     *           "target": "asset_file/2",
                     *           "text": "Is this still the right picture, @ada?",
                     *           "reply_to": null,
                     *           "resolved": false,
                     *           "mentions": [
                     *             2
                     *           ],
                     *           "user_id": 1,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        comment: components["schemas"]["comment_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    create_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target": "asset_file/2",
                 *       "text": "Is this still the right picture, @ada?"
                 *     }
                 */
                "application/json": {
                    /** @description What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed. */
                    target: string;
                    /** @description The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. A name that no user has is ordinary text. */
                    text: string;
                    /** @description The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed. */
                    reply_to?: number | null;
                    /** @description Whether the comment is settled. Everybody who may write a comment on the target may change this field. The first comment decides for its thread; in a reply, the value is always false. */
                    resolved?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The new comment. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment_id": 1,
                     *       "target": "asset_file/2",
                     *       "text": "Is this still the right picture, @ada?",
                     *       "reply_to": null,
                     *       "resolved": false,
                     *       "mentions": [
                     *         2
                     *       ],
                     *       "user_id": 1,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["comment"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_comment: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: comment_id, target, text, reply_to, resolved, mentions, user_id, date_added, date_modified, owner. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The comment; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment_id": 1,
                     *       "target": "asset_file/2",
                     *       "text": "Is this still the right picture, @ada?",
                     *       "reply_to": null,
                     *       "resolved": false,
                     *       "mentions": [
                     *         2
                     *       ],
                     *       "user_id": 1,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["comment_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    update_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resolved": true
                 *     }
                 */
                "application/json": {
                    /** @description What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed. */
                    target?: string | null;
                    /** @description The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. A name that no user has is ordinary text. */
                    text?: string | null;
                    /** @description The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed. */
                    reply_to?: number | null;
                    /** @description Whether the comment is settled. Everybody who may write a comment on the target may change this field. The first comment decides for its thread; in a reply, the value is always false. */
                    resolved?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The comment after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment_id": 1,
                     *       "target": "asset_file/2",
                     *       "text": "Is this still the right picture, @ada?",
                     *       "reply_to": null,
                     *       "resolved": true,
                     *       "mentions": [
                     *         2
                     *       ],
                     *       "user_id": 1,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["comment"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    delete_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    patch_comment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resolved": true
                 *     }
                 */
                "application/json": {
                    /** @description What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed. */
                    target?: string | null;
                    /** @description The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. A name that no user has is ordinary text. */
                    text?: string | null;
                    /** @description The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed. */
                    reply_to?: number | null;
                    /** @description Whether the comment is settled. Everybody who may write a comment on the target may change this field. The first comment decides for its thread; in a reply, the value is always false. */
                    resolved?: boolean | null;
                };
                /**
                 * @example {
                 *       "resolved": true
                 *     }
                 */
                "application/merge-patch+json": {
                    /** @description What the comment is about: `asset_file/12`, or `datatable/3/7` and `calendar/3/7` for entry 7 of datatable or calendar 3. It cannot be changed. */
                    target?: string;
                    /** @description The text, of one or more lines. `@name` mentions a user, `@"name of words"` a user whose name has blanks; at most 20 names. A name that no user has is ordinary text. */
                    text?: string;
                    /** @description The comment to which this comment replies: the first comment of a thread on the same target, not another reply. This field cannot be changed. */
                    reply_to?: number | null;
                    /** @description Whether the comment is settled. Everybody who may write a comment on the target may change this field. The first comment decides for its thread; in a reply, the value is always false. */
                    resolved?: boolean;
                };
            };
        };
        responses: {
            /** @description The comment after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment_id": 1,
                     *       "target": "asset_file/2",
                     *       "text": "Is this still the right picture, @ada?",
                     *       "reply_to": null,
                     *       "resolved": true,
                     *       "mentions": [
                     *         2
                     *       ],
                     *       "user_id": 1,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["comment"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    search_comment_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment": [
                     *         {
                     *           "comment_id": 1,
                     *           "target": "asset_file/2",
                     *           "text": "Is this still the right picture, @ada?",
                     *           "reply_to": null,
                     *           "resolved": false,
                     *           "mentions": [
                     *             2
                     *           ],
                     *           "user_id": 1,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        comment: components["schemas"]["comment_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_audit: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: audit_id, user_name, user_id, api_key_id, api_key_name, address, request_id, action, object, object_id, last_object_id, count, module_id, version, fileState, asset_category_id, previous_category_id, name, path, previous_name, previous_path, entries, date_added. A field may be qualified, as in "audit.user_name". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: audit_id, object_id, date_added. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: audit_id, user_name, user_id, api_key_id, api_key_name, address, request_id, action, object, object_id, last_object_id, count, module_id, version, fileState, changed_fields, asset_category_id, previous_category_id, name, path, previous_name, previous_path, entries, schedule_fault, changes, date_added. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audit": [
                     *         {
                     *           "audit_id": 2,
                     *           "user_name": "admin",
                     *           "user_id": 1,
                     *           "api_key_id": 1,
                     *           "api_key_name": null,
                     *           "address": "192.0.2.7",
                     *           "request_id": "4395c0a5-5f79-4fe3-907d-df07ee5f2b6b",
                     *           "action": "create",
                     *           "object": "asset_file",
                     *           "object_id": 1,
                     *           "last_object_id": 1,
                     *           "count": 1,
                     *           "module_id": null,
                     *           "version": 1,
                     *           "fileState": "publish",
                     *           "changed_fields": null,
                     *           "asset_category_id": 1,
                     *           "previous_category_id": null,
                     *           "name": null,
                     *           "path": null,
                     *           "previous_name": null,
                     *           "previous_path": null,
                     *           "entries": null,
                     *           "schedule_fault": null,
                     *           "changes": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        audit: components["schemas"]["audit_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_audit: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: audit_id, user_name, user_id, api_key_id, api_key_name, address, request_id, action, object, object_id, last_object_id, count, module_id, version, fileState, changed_fields, asset_category_id, previous_category_id, name, path, previous_name, previous_path, entries, schedule_fault, changes, date_added. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The audit row; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audit_id": 2,
                     *       "user_name": "admin",
                     *       "user_id": 1,
                     *       "api_key_id": 1,
                     *       "api_key_name": null,
                     *       "address": "192.0.2.7",
                     *       "request_id": "4395c0a5-5f79-4fe3-907d-df07ee5f2b6b",
                     *       "action": "create",
                     *       "object": "asset_file",
                     *       "object_id": 1,
                     *       "last_object_id": 1,
                     *       "count": 1,
                     *       "module_id": null,
                     *       "version": 1,
                     *       "fileState": "publish",
                     *       "changed_fields": null,
                     *       "asset_category_id": 1,
                     *       "previous_category_id": null,
                     *       "name": null,
                     *       "path": null,
                     *       "previous_name": null,
                     *       "previous_path": null,
                     *       "entries": null,
                     *       "schedule_fault": null,
                     *       "changes": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["audit_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    search_audit_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "audit": [
                     *         {
                     *           "audit_id": 2,
                     *           "user_name": "admin",
                     *           "user_id": 1,
                     *           "api_key_id": 1,
                     *           "api_key_name": null,
                     *           "address": "192.0.2.7",
                     *           "request_id": "4395c0a5-5f79-4fe3-907d-df07ee5f2b6b",
                     *           "action": "create",
                     *           "object": "asset_file",
                     *           "object_id": 1,
                     *           "last_object_id": 1,
                     *           "count": 1,
                     *           "module_id": null,
                     *           "version": 1,
                     *           "fileState": "publish",
                     *           "changed_fields": null,
                     *           "asset_category_id": 1,
                     *           "previous_category_id": null,
                     *           "name": null,
                     *           "path": null,
                     *           "previous_name": null,
                     *           "previous_path": null,
                     *           "entries": null,
                     *           "schedule_fault": null,
                     *           "changes": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        audit: components["schemas"]["audit_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    search_trash: {
        parameters: {
            query?: {
                /** @description A search as JSON: {"field": value}. Several fields are combined with AND. Operators, as in {"field": {"$gt": 5}}: $eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $all, $size, $exists, $not, $regex (RE2; at most 2,000 instructions in total, so x{2000} is too large) with $options "i", $contains, $startsWith, $endsWith, $near and $within for places. Conditions are grouped with $and, $or, $not. "/text/i" is a regular expression. Texts are compared in Unicode NFC, so both forms of a name match; $gt, $gte, $lt and $lte compare texts as stored. Fields: trash_id, object, object_id, module_id, name, asset_category_id, deleted_by, count, size, state, date_added. A field may be qualified, as in "trash.object". */
                qry?: string;
                /** @description Number of the page, from 1. Not allowed together with cursor. */
                start?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The value page.next of the previous page. Stable under concurrent writes. */
                cursor?: string;
                /** @description The field to sort by, or up to 4 fields, separated by commas. Ties are sorted by identifier. With several fields, at most 10,000 records of a search may have the same value in the first field. By default, records are sorted by identifier; a search for a range or prefix of one field that finds more than 1,000 records is sorted by that field. Text is sorted by code point: Z before a, z before ä. Fields: trash_id, object, object_id, module_id, name, asset_category_id, deleted_by, count, size, state, date_added. */
                orderStr?: string;
                /** @description ASC (default) or DESC. One direction for all fields of orderStr, or one for each, separated by commas. */
                orderDir?: string;
                /** @description Text that at least one string field contains. Case and Unicode form (NFC or NFD) are ignored. */
                table_filter?: string;
                /** @description The fields to return, separated by commas. Fields: trash_id, object, object_id, module_id, name, asset_category_id, path, deleted_by, count, size, state, date_added. */
                fields?: string;
                /** @description exact: return the number of all matches in page.total, even if counting is slow. */
                count?: "exact";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trash": [
                     *         {
                     *           "trash_id": 1,
                     *           "object": "asset_file",
                     *           "object_id": 2,
                     *           "module_id": null,
                     *           "name": "index.html",
                     *           "asset_category_id": 1,
                     *           "path": "/Main/index.html",
                     *           "deleted_by": "ada",
                     *           "count": 1,
                     *           "size": 1024,
                     *           "state": "complete",
                     *           "date_added": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        trash: components["schemas"]["trash_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_trash: {
        parameters: {
            query?: {
                /** @description The fields to return, separated by commas. Fields: trash_id, object, object_id, module_id, name, asset_category_id, path, deleted_by, count, size, state, date_added. */
                fields?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trash item; with fields, only those fields. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trash_id": 1,
                     *       "object": "asset_file",
                     *       "object_id": 2,
                     *       "module_id": null,
                     *       "name": "index.html",
                     *       "asset_category_id": 1,
                     *       "path": "/Main/index.html",
                     *       "deleted_by": "ada",
                     *       "count": 1,
                     *       "size": 1024,
                     *       "state": "complete",
                     *       "date_added": "2026-01-31T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["trash_selection"];
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    delete_trash: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    search_trash_by_post: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 500 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "length": 10
                 *     }
                 */
                "application/json": {
                    /** @description The search as an object, or as a string with JSON. */
                    qry?: {
                        [key: string]: unknown;
                    } | null;
                    start?: number | null;
                    length?: number | null;
                    cursor?: string | null;
                    orderStr?: string | null;
                    /** @description ASC or DESC for all fields, or one direction for each field of orderStr. */
                    orderDir?: string | null;
                    table_filter?: string | null;
                    fields?: string | null;
                    /** @enum {string|null} */
                    count?: "exact" | null;
                };
            };
        };
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    /** @description Number of records scanned and number of records returned. Only for keys with the grant admin on the whole site. */
                    "Server-Timing"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "trash": [
                     *         {
                     *           "trash_id": 1,
                     *           "object": "asset_file",
                     *           "object_id": 2,
                     *           "module_id": null,
                     *           "name": "index.html",
                     *           "asset_category_id": 1,
                     *           "path": "/Main/index.html",
                     *           "deleted_by": "ada",
                     *           "count": 1,
                     *           "size": 1024,
                     *           "state": "complete",
                     *           "date_added": "2026-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        trash: components["schemas"]["trash_selection"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    list_asset_file_versions: {
        parameters: {
            query?: {
                /** @description The value page.next of the previous page. */
                cursor?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description The fields to return. Fields: asset_file_id, version, name, type, parent_category_id, title, description, alt_text, focus, layout_file_id, version_note, width, height, thumbhash, size, sha256, mime_type, date_added, owner, damaged, is_live, is_staged, is_pinned. */
                fields?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_version": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "version": 1,
                     *           "name": "hello.html",
                     *           "type": "html",
                     *           "parent_category_id": 1,
                     *           "title": null,
                     *           "description": null,
                     *           "alt_text": null,
                     *           "focus": null,
                     *           "layout_file_id": null,
                     *           "version_note": null,
                     *           "width": null,
                     *           "height": null,
                     *           "thumbhash": null,
                     *           "size": 12,
                     *           "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *           "mime_type": "text/html",
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin",
                     *           "damaged": false,
                     *           "is_live": true,
                     *           "is_staged": true,
                     *           "is_pinned": false
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        asset_file_version: components["schemas"]["asset_file_version"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_asset_file_version: {
        parameters: {
            query?: {
                /** @description The fields to return. Fields: asset_file_id, version, name, type, parent_category_id, title, description, alt_text, focus, layout_file_id, version_note, width, height, thumbhash, size, sha256, mime_type, date_added, owner, damaged, is_live, is_staged, is_pinned. */
                fields?: string;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
                /** @description Number of a version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "version": 1,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin",
                     *       "damaged": false,
                     *       "is_live": true,
                     *       "is_staged": true,
                     *       "is_pinned": false
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file_version"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_asset_file_version_content: {
        parameters: {
            query?: {
                /** @description A ticket from `POST /ticket`, in place of the header Authorization. It must be the last query parameter. */
                ticket?: string;
            };
            header?: {
                /** @description One range of bytes. */
                Range?: string;
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
                /** @description Number of a version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    /** @description bytes: the header Range can request a part. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    /** @description bytes: the header Range can request a part. */
                    "Accept-Ranges"?: string;
                    /** @description The range of bytes in this response. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.ticket-as-code"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            416: components["responses"]["problem_416"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    restore_asset_file_version: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
                /** @description Number of a version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file with its new version. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    diff_asset_file_versions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
                /** @description Number of a version. */
                version: number;
                /** @description Number of the version to compare with. */
                other: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A unified diff. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/x-diff": string;
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    publish_asset_file: {
        parameters: {
            query?: {
                /** @description Number of the version to publish. */
                version?: number;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    publish_asset_file_by_post: {
        parameters: {
            query?: {
                /** @description Number of the version to publish. */
                version?: number;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Number of the version, as in the query parameter. */
                    version?: number | null;
                };
            };
        };
        responses: {
            /** @description The file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    stage_asset_file: {
        parameters: {
            query?: {
                /** @description Number of the version to stage. */
                version?: number;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    stage_asset_file_by_post: {
        parameters: {
            query?: {
                /** @description Number of the version to stage. */
                version?: number;
            };
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description Number of the version, as in the query parameter. */
                    version?: number | null;
                };
            };
        };
        responses: {
            /** @description The file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    unpublish_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    unstage_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    batch: {
        parameters: {
            query?: never;
            header?: {
                /** @description handling=strict: reject with 422 a value that would be stored differently from what was sent: more than three decimals of a second, a time of day in a date column, digits beyond the precision of a double. */
                Prefer?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 2 MiB of JSON in UTF-8, with at most 100,000 keys, nested at most 32 deep. Default values of columns count towards the limit. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "mode": "each",
                 *       "operations": [
                 *         {
                 *           "op": "publish",
                 *           "asset_file_id": 2
                 *         },
                 *         {
                 *           "op": "update",
                 *           "asset_file_id": 2,
                 *           "fields": {
                 *             "title": "Hello"
                 *           }
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    mode: "all" | "each";
                    operations: {
                        /**
                         * @description update sets fields: parent_category_id moves the file, and type sets its type. restore saves the content of an older version as a new one. set_state sets the whole publication state, to undo an earlier operation. restore_trash restores a file that was not deleted together with its folder, to the folder in which it lay.
                         * @enum {string}
                         */
                        op: "publish" | "stage" | "unpublish" | "unstage" | "set_state" | "update" | "restore" | "delete" | "restore_trash";
                        asset_file_id: number;
                        /** @description For publish and stage: the latest version if absent. Required for restore. */
                        version?: number | null;
                        /** @description For update: the fields to set, without pageContent. */
                        fields?: {
                            /** @description File name of the latest version. It is unique in its folder, together with the names of live versions; case is ignored. While a version is live, keys with only the view grant get the name of the live version. */
                            name?: string | null;
                            /** @description A short token: html, stml, pdf, css, png … */
                            type?: string | null;
                            /** @description The folder that contains the file. */
                            parent_category_id?: number | null;
                            /** @description Text of the latest version, stored unchanged; for a key with only the view grant, the text of the live version. Null if the file is not text, or exceeds 16 MiB (17 MiB as JSON). Returned by a single read, and in lists if fields names it. Rejected with 422 for types that are not text (pdf, png, docx …): send bytes through POST /upload, or a text type together with the text. A file created without pageContent is empty; a file of type stml then contains <div id="dd.0"></div>. */
                            pageContent?: string | null;
                            /**
                             * @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState.
                             * @enum {string|null}
                             */
                            fileState?: "publish" | "stage" | null;
                            /** @description Title for display. */
                            title?: string | null;
                            /** @description Description for display. */
                            description?: string | null;
                            /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                            alt_text?: string | null;
                            /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                            focus?: string | null;
                            /** @description The layout of this page on the site, if it differs from the layout of the folder: the identifier of a file of type html or stml with [page_content]. 0: no layout. Null: the layout of the folder. */
                            layout_file_id?: number | null;
                            /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                            version_note?: string | null;
                            /** @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                            publish_at?: string | null;
                            /** @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                            unpublish_at?: string | null;
                            /** @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts. Accepted: RFC 3339, YYYY-MM-DD, the text YYYYMMDD or YYYYMMDDhhmmss, or seconds since 1970. */
                            stage_at?: string | null;
                            /** @description Numbers of versions that no rule removes (see keep_versions of asset_category); a list replaces the former list. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts. */
                            pinned_versions?: number[] | null;
                        } | null;
                        /** @description For set_state: the members that the file had before and that were not null. A change of the live version needs the grant publish, any other the grant stage. */
                        state?: {
                            live_version?: number | null;
                            staged_version?: number | null;
                            /** @enum {string|null} */
                            fileState?: "publish" | "stage" | null;
                            /** Format: date-time */
                            publish_at?: string | null;
                            publish_version?: number | null;
                            /** Format: date-time */
                            unpublish_at?: string | null;
                            /** Format: date-time */
                            stage_at?: string | null;
                            stage_version?: number | null;
                        } | null;
                        /** @description The ETag that the file must have, as in If-Match; otherwise the status is 412. Required for set_state. For restore_trash, the ETag of the trash item. */
                        etag?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description The results, in the order of the operations. */
            200: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "mode": "each",
                     *       "succeeded": 1,
                     *       "failed": 0,
                     *       "rebuilt": false,
                     *       "results": [
                     *         {
                     *           "op": "publish",
                     *           "asset_file_id": 2,
                     *           "status": 200,
                     *           "etag": "\"r2-5d8f0b21\"",
                     *           "record": {
                     *             "asset_file_id": 2,
                     *             "name": "hello.html",
                     *             "type": "html",
                     *             "parent_category_id": 1,
                     *             "fileState": "publish",
                     *             "title": null,
                     *             "description": null,
                     *             "alt_text": null,
                     *             "focus": null,
                     *             "layout_file_id": null,
                     *             "version_note": null,
                     *             "version": 1,
                     *             "live_version": 1,
                     *             "staged_version": 1,
                     *             "state": "published",
                     *             "size": 12,
                     *             "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *             "mime_type": "text/html",
                     *             "width": null,
                     *             "height": null,
                     *             "thumbhash": null,
                     *             "was_published": true,
                     *             "date_published": "2026-01-31T12:00:00.000Z",
                     *             "date_staged": "2026-01-31T12:00:00.000Z",
                     *             "publish_at": null,
                     *             "publish_version": null,
                     *             "unpublish_at": null,
                     *             "stage_at": null,
                     *             "stage_version": null,
                     *             "schedule_failed_at": null,
                     *             "schedule_fault": null,
                     *             "pinned_versions": null,
                     *             "path": "/Main/hello.html",
                     *             "url": "/file/2/hello.html",
                     *             "date_added": "2026-01-31T12:00:00.000Z",
                     *             "date_modified": "2026-01-31T12:00:00.000Z",
                     *             "owner": "admin"
                     *           },
                     *           "problem": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        mode: "all" | "each";
                        succeeded: number;
                        failed: number;
                        rebuilt: boolean;
                        results: {
                            /** @enum {string} */
                            op: "publish" | "stage" | "unpublish" | "unstage" | "set_state" | "update" | "restore" | "delete" | "restore_trash";
                            asset_file_id: number;
                            /** @description The status that the operation would have as a request of its own. */
                            status: number;
                            /** @description The ETag of the file after the operation. */
                            etag: string | null;
                            /** @description The file after the operation, without pageContent; null after a delete or a problem, and once the records of the response have reached 16 MiB. */
                            record: components["schemas"]["asset_file_selection"] | null;
                            /** @description Why the operation was refused, as in a response of its own; otherwise null. */
                            problem: components["schemas"]["problem"] | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    copy_asset_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description The folder of the copy. Without this field, the folder of the original. */
                    parent_category_id?: number | null;
                    /** @description The name of the copy; a name that is taken is rejected with 409. Without this field, the copy gets the name of the original or, if it is taken, a free name: "hello copy.html", then "hello copy 2.html". */
                    name?: string | null;
                };
            };
        };
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    copy_asset_category: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description The folder of the copy. Without this field, the folder of the original. */
                    parent_category_id?: number | null;
                    /** @description The name of the copy; a name that is taken is rejected with 409. Without this field, the copy gets the name of the original or, if it is taken, a free name: "hello copy.html", then "hello copy 2.html". */
                    name?: string | null;
                };
            };
        };
        responses: {
            /** @description The copy. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_category_id": 13,
                     *       "name": "Press",
                     *       "parent_category_id": 1,
                     *       "title": null,
                     *       "description": null,
                     *       "public": null,
                     *       "public_since": null,
                     *       "is_public": false,
                     *       "redirects": null,
                     *       "site_headers": null,
                     *       "layout_file_id": null,
                     *       "keep_versions": null,
                     *       "path": "/Main/Press",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin",
                     *       "copied": {
                     *         "folders": 1,
                     *         "files": 12
                     *       },
                     *       "left_out": {
                     *         "files": 0,
                     *         "file_groups": 0,
                     *         "modules": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["asset_category"] & {
                        /** @description Numbers of copied records. */
                        copied: {
                            folders: number;
                            files: number;
                        };
                        /** @description Numbers of records that are not copied: files of which the key may read no version or whose bytes are damaged, file groups, and modules. */
                        left_out: {
                            files: number;
                            file_groups: number;
                            modules: number;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    publish_asset_category: {
        parameters: {
            query?: {
                /** @description Check every file and return the numbers, without changing anything. */
                dry_run?: boolean;
                /** @description The number of files that the folder must have; otherwise the response is 409 with the number in matched. */
                expect?: number;
            };
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of files. */
            200: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matched": 12,
                     *       "changed": 11,
                     *       "unchanged": 1,
                     *       "failed_count": 0,
                     *       "failed": [],
                     *       "dry_run": false
                     *     }
                     */
                    "application/json": {
                        /** @description Files below the folder that the key may view. */
                        matched: number;
                        /** @description Changed files; in a dry run, files that would be changed. */
                        changed: number;
                        /** @description Files that have the state already. */
                        unchanged: number;
                        /** @description Refused files. */
                        failed_count: number;
                        /** @description The first refused files. */
                        failed: {
                            asset_file_id: number;
                            problem: components["schemas"]["problem"];
                        }[];
                        dry_run: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    stage_asset_category: {
        parameters: {
            query?: {
                /** @description Check every file and return the numbers, without changing anything. */
                dry_run?: boolean;
                /** @description The number of files that the folder must have; otherwise the response is 409 with the number in matched. */
                expect?: number;
            };
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of files. */
            200: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matched": 12,
                     *       "changed": 11,
                     *       "unchanged": 1,
                     *       "failed_count": 0,
                     *       "failed": [],
                     *       "dry_run": false
                     *     }
                     */
                    "application/json": {
                        /** @description Files below the folder that the key may view. */
                        matched: number;
                        /** @description Changed files; in a dry run, files that would be changed. */
                        changed: number;
                        /** @description Files that have the state already. */
                        unchanged: number;
                        /** @description Refused files. */
                        failed_count: number;
                        /** @description The first refused files. */
                        failed: {
                            asset_file_id: number;
                            problem: components["schemas"]["problem"];
                        }[];
                        dry_run: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    unpublish_asset_category: {
        parameters: {
            query?: {
                /** @description Check every file and return the numbers, without changing anything. */
                dry_run?: boolean;
                /** @description The number of files that the folder must have; otherwise the response is 409 with the number in matched. */
                expect?: number;
            };
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers of files. */
            200: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "matched": 12,
                     *       "changed": 11,
                     *       "unchanged": 1,
                     *       "failed_count": 0,
                     *       "failed": [],
                     *       "dry_run": false
                     *     }
                     */
                    "application/json": {
                        /** @description Files below the folder that the key may view. */
                        matched: number;
                        /** @description Changed files; in a dry run, files that would be changed. */
                        changed: number;
                        /** @description Files that have the state already. */
                        unchanged: number;
                        /** @description Refused files. */
                        failed_count: number;
                        /** @description The first refused files. */
                        failed: {
                            asset_file_id: number;
                            problem: components["schemas"]["problem"];
                        }[];
                        dry_run: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    count_comment: {
        parameters: {
            query: {
                /** @description 1 to 100 targets, separated by commas: asset_file/12,datatable/3/7. */
                targets: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "counts": [
                     *         {
                     *           "target": "asset_file/2",
                     *           "open": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        counts: {
                            target: string;
                            open: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    list_my_mentions: {
        parameters: {
            query?: {
                /** @description The value page.next of the previous page. */
                cursor?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "comment": [
                     *         {
                     *           "comment_id": 1,
                     *           "target": "asset_file/2",
                     *           "text": "Is this still the right picture, @ada?",
                     *           "reply_to": null,
                     *           "resolved": false,
                     *           "mentions": [
                     *             2
                     *           ],
                     *           "user_id": 1,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "date_modified": "2026-01-31T12:00:00.000Z",
                     *           "owner": "admin"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        comment: components["schemas"]["comment"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    list_asset_file_links: {
        parameters: {
            query?: {
                /** @description The value page.next of the previous page. */
                cursor?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_link": [
                     *         {
                     *           "asset_file_link_id": 1,
                     *           "asset_file_id": 12,
                     *           "state": "stage",
                     *           "version": null,
                     *           "site": null,
                     *           "note": "for the print shop",
                     *           "url": "/link/dGhpcyBpcyBub3QgYSBsaW5rAAAAAAAAAAAAAA/leaflet.pdf",
                     *           "date_expires": "2026-02-01T12:00:00.000Z",
                     *           "user_id": 1,
                     *           "api_key_id": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "owner": "ada"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        asset_file_link: components["schemas"]["asset_file_link"][];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    make_asset_file_link: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "state": "stage",
                 *       "note": "for the print shop",
                 *       "expires_in": "7d"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description live: the link returns the version that is live when the link is used. stage: the staged version. preview: the link shows the whole site, beginning at the file, as if everything staged were published. Null if the link is for one numbered version. Default: live.
                     * @enum {string|null}
                     */
                    state?: "live" | "stage" | "preview" | null;
                    /** @description Number of the version; not allowed together with state. */
                    version?: number | null;
                    /** @description The origin of the site that a link of the state preview shows; default: the site that shows the file. Null for other links. */
                    site?: string | null;
                    /** @description Purpose of the link, for the people who manage the links of the file. */
                    note?: string | null;
                    /** @description How long the link works: 7d, 12h, 15m, 90s or a number of seconds; at most 90d, and 30d for the state preview. Default: 1d. The link of a key never outlasts the key. */
                    expires_in?: string | null;
                };
            };
        };
        responses: {
            /** @description The link with its address. */
            201: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_link_id": 1,
                     *       "asset_file_id": 12,
                     *       "state": "stage",
                     *       "version": null,
                     *       "site": null,
                     *       "note": "for the print shop",
                     *       "url": "/link/dGhpcyBpcyBub3QgYSBsaW5rAAAAAAAAAAAAAA/leaflet.pdf",
                     *       "date_expires": "2026-02-01T12:00:00.000Z",
                     *       "user_id": 1,
                     *       "api_key_id": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "owner": "ada"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file_link"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    revoke_asset_file_link: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
                /** @description Identifier of the link. */
                link: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    read_link: {
        parameters: {
            query?: {
                /** @description Width of a picture in pixels; the picture is never enlarged. Without a key, one of 160, 320, 480, 640, 800, 1024, 1280, 1600, 1920, 2560, only with format. */
                width?: number;
                /** @description Format of a picture. auto (default): WebP if the header Accept names it, otherwise JPEG, PNG or GIF. */
                format?: "auto" | "webp" | "avif" | "jpeg" | "png";
                /** @description A set of these parameters by its name (--picture-presets); not together with the others. */
                preset?: string;
            };
            header?: {
                /** @description One range of bytes. */
                Range?: string;
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The secret part of the address, as in the field url of the link. */
                token: string;
                /** @description Name of the file. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    /** @description bytes: the header Range can request a part. */
                    "Accept-Ranges"?: string;
                    /** @description noindex: search engines do not list the address. */
                    "X-Robots-Tag"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    /** @description bytes: the header Range can request a part. */
                    "Accept-Ranges"?: string;
                    /** @description The range of bytes in this response. */
                    "Content-Range"?: string;
                    /** @description noindex: search engines do not list the address. */
                    "X-Robots-Tag"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            403: components["responses"]["problem_403.ticket-as-code"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            416: components["responses"]["problem_416"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            501: components["responses"]["problem_501"];
            default: components["responses"]["problem"];
        };
    };
    count_in_asset_category: {
        parameters: {
            query: {
                /** @description Identifiers of 1 to 100 folders, separated by commas. */
                ids: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "counts": [
                     *         {
                     *           "asset_category_id": 13,
                     *           "folders": 2,
                     *           "files": 40
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        counts: {
                            asset_category_id: number;
                            folders: number;
                            files: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    list_former_names: {
        parameters: {
            query?: {
                /** @description The value page.next of the previous page. */
                cursor?: string;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "former_name": [
                     *         {
                     *           "name": "old.html",
                     *           "object": "asset_file",
                     *           "object_id": 2,
                     *           "path": "/Main/Press/new.html"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": null,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        former_name: {
                            /** @description The former name, in lower case. */
                            name: string;
                            /** @enum {string} */
                            object: "asset_file" | "asset_category";
                            /** @description The file or folder that had the name. */
                            object_id: number;
                            /** @description The current path of this file or folder. */
                            path: string;
                        }[];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    delete_former_name: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
                /** @description A former name, as the list has it. */
                former_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The name no longer redirects. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    follow_changes: {
        parameters: {
            query?: {
                /** @description Where to start: `page.next` of a response, or the id of an event. 0 starts with the oldest change in the log. A key that sees the whole site may send the sequence number of a change to get the changes after it. A time (2026-01-31T12:00:00Z) starts with the first change from then on; changes made while the clock of the server was set back may be older. Without `since`, only new changes are returned. */
                since?: string;
                /** @description Maximum number of changes in one response. */
                length?: number;
                /** @description Seconds to wait for the first change if there is none yet. */
                wait?: number;
                /** @description Return only changes of these objects, separated by commas: asset_category, asset_file, asset_file_link, file_group, datatable, calendar, datatable_entry, calendar_entry, user, api_key, role, webhook, comment, trash. */
                object?: string;
                /** @description Return only these actions, separated by commas: create, update, delete, upload, publish, stage, unpublish, unstage, restore, schedule_failed, rotate, revoke. `publish` and `stage` also match a create, update or upload that published or staged the file; `fileState` says which. */
                action?: string;
                /** @description Return only changes in this folder and its subfolders. A record that is moved in is a `create`, a record that is moved out a `delete`. */
                asset_category_id?: number;
                /** @description Return only changes of entries of this datatable or calendar. */
                module_id?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Changes, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "change": [
                     *         {
                     *           "sequence": 4711,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "object": "asset_file",
                     *           "object_id": 12,
                     *           "module_id": null,
                     *           "action": "publish",
                     *           "version": 3,
                     *           "fileState": "publish",
                     *           "changed_fields": [
                     *             "fileState",
                     *             "live_version"
                     *           ],
                     *           "user_name": "admin",
                     *           "asset_category_id": 1,
                     *           "previous_category_id": null,
                     *           "entries": null,
                     *           "schedule_fault": null,
                     *           "name": null,
                     *           "path": null,
                     *           "url": null,
                     *           "previous_name": null,
                     *           "previous_path": null,
                     *           "previous_url": null
                     *         }
                     *       ],
                     *       "page": {
                     *         "length": 1,
                     *         "next": "rzhCJm5tWcu1yXN9A5uIu0KQk2b3gq1mT5yGkq6cZPxq0YbJ1c8"
                     *       }
                     *     }
                     */
                    "application/json": {
                        change: {
                            /** @description Number of the change. Numbers increase and may have gaps. Null for a key that does not see the whole site. */
                            sequence: number | null;
                            /** Format: date-time */
                            date_added: string;
                            /** @enum {string} */
                            object: "asset_category" | "asset_file" | "asset_file_link" | "file_group" | "datatable" | "calendar" | "datatable_entry" | "calendar_entry" | "user" | "api_key" | "role" | "webhook" | "comment" | "trash";
                            object_id: number;
                            /** @description The datatable or calendar of an entry; null for other objects. */
                            module_id: number | null;
                            /**
                             * @description `create` and `delete` mean that a record became visible to the key, or is no longer visible. Every other action changes a record that stays visible.
                             * @enum {string}
                             */
                            action: "create" | "update" | "delete" | "upload" | "publish" | "stage" | "unpublish" | "unstage" | "restore" | "schedule_failed" | "rotate" | "revoke";
                            /** @description The version of a file, as in the audit trail; null for other objects. */
                            version: number | null;
                            fileState: ("publish" | "stage") | null;
                            changed_fields: string[] | null;
                            /** @description The user who made the change. */
                            user_name: string | null;
                            /** @description The folder that contains the record, or contained it before it was deleted. For an entry, the folder of its module; for a folder, the folder itself. */
                            asset_category_id: number | null;
                            /** @description The previous folder of a record that was moved. For a folder, its previous parent folder. */
                            previous_category_id: number | null;
                            /** @description Number of entries that were deleted together with their datatable or calendar. */
                            entries: number | null;
                            /** @description For the action schedule_failed: why the server could not keep a time of the file. Null for all other changes. */
                            readonly schedule_fault: {
                                /** @enum {string} */
                                action: "stage" | "publish" | "unpublish";
                                /**
                                 * Format: date-time
                                 * @description The scheduled time.
                                 */
                                at: string;
                                /** @description The version that was to be published or staged; null for an unpublish. */
                                version: number | null;
                                /** @description The code of the error: see /problems. */
                                code: string;
                                detail: string;
                            } | null;
                            /** @description Name of a record that was deleted, renamed or moved, or whose address changed. The name is the one after the change. Null for all other changes. */
                            name: string | null;
                            /** @description Path of the record at that time, from the topmost folder that the key sees. A file has the name of its live version. Null if the record is in no folder. */
                            path: string | null;
                            /** @description Address of the file, datatable or calendar at that time. */
                            url: string | null;
                            /** @description Null if the name did not change, or if the key did not see the record before. */
                            previous_name: string | null;
                            /** @description Null if the path did not change. */
                            previous_path: string | null;
                            /** @description Null if the address did not change. */
                            previous_url: string | null;
                        }[];
                        page: {
                            length: number;
                            next: string;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            410: components["responses"]["problem_410"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    stream_changes: {
        parameters: {
            query?: {
                /** @description Where to start: `page.next` of a response, or the id of an event. 0 starts with the oldest change in the log. A key that sees the whole site may send the sequence number of a change to get the changes after it. A time (2026-01-31T12:00:00Z) starts with the first change from then on; changes made while the clock of the server was set back may be older. Without `since`, only new changes are returned. */
                since?: string;
                /** @description Return only changes of these objects, separated by commas: asset_category, asset_file, asset_file_link, file_group, datatable, calendar, datatable_entry, calendar_entry, user, api_key, role, webhook, comment, trash. */
                object?: string;
                /** @description Return only these actions, separated by commas: create, update, delete, upload, publish, stage, unpublish, unstage, restore, schedule_failed, rotate, revoke. `publish` and `stage` also match a create, update or upload that published or staged the file; `fileState` says which. */
                action?: string;
                /** @description Return only changes in this folder and its subfolders. A record that is moved in is a `create`, a record that is moved out a `delete`. */
                asset_category_id?: number;
                /** @description Return only changes of entries of this datatable or calendar. */
                module_id?: number;
            };
            header?: {
                /** @description The id of the last event that the client received. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, until the client disconnects. */
            200: {
                headers: {
                    /** @description no: tells proxies to forward each event at once. */
                    "X-Accel-Buffering"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            410: components["responses"]["problem_410"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    rotate_api_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "keep_old": "12h"
                 *     }
                 */
                "application/json": {
                    /** @description How long the old secret stays valid: 30d, 12h, 90s, or a number of seconds. */
                    keep_old?: string | null;
                };
            };
        };
        responses: {
            /** @description The key with its new secret. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "api_key_id": 2,
                     *       "name": "website",
                     *       "user_id": 1,
                     *       "grants": [
                     *         "view"
                     *       ],
                     *       "asset_category_id": null,
                     *       "status": "active",
                     *       "date_expires": null,
                     *       "hint": "cms_eO4e…",
                     *       "made_by": 1,
                     *       "date_signed_in": null,
                     *       "state": "active",
                     *       "state_reason": null,
                     *       "last_used": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin",
                     *       "secret": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL"
                     *     }
                     */
                    "application/json": components["schemas"]["api_key"] & {
                        /** @description Shown only once. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    pause_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": null,
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    resume_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": null,
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    replay_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": 0
                 *     }
                 */
                "application/json": {
                    /** @description Sequence number of a change. */
                    since: number;
                };
            };
        };
        responses: {
            /** @description The webhook after the change. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": null,
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    rotate_webhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "keep_old": "12h"
                 *     }
                 */
                "application/json": {
                    /** @description How long the old secret also signs: 30d, 12h, 90s, or a number of seconds; 0: the old secret expires at once. */
                    keep_old?: string | null;
                };
            };
        };
        responses: {
            /** @description The webhook with its new secret. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_id": 1,
                     *       "name": "search index",
                     *       "url": "https://search.example.org/changes",
                     *       "objects": null,
                     *       "asset_category_id": null,
                     *       "actions": null,
                     *       "status": "active",
                     *       "position": 7,
                     *       "state": "delivering",
                     *       "last_error": null,
                     *       "date_delivered": null,
                     *       "date_retry": null,
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin",
                     *       "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwN2zG1FQ5rXo="
                     *     }
                     */
                    "application/json": components["schemas"]["webhook"] & {
                        /** @description Secret that signs deliveries. Shown only once. */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The result of the attempt. If the delivery failed, error says why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "webhook.test",
                     *       "message_id": "msg_1_7",
                     *       "sequence": null,
                     *       "attempt": 1,
                     *       "date": "2026-01-31T12:00:00.000Z",
                     *       "status": 200,
                     *       "ms": 12,
                     *       "error": null,
                     *       "answer": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @description Number of the attempt in the delivery log; numbers increase. */
                        number?: number;
                        /** @description Type of the event, as sent to the receiver: asset_file.update, or webhook.test. */
                        type: string;
                        /** @description Value of the header webhook-id, the same for every attempt. */
                        message_id: string;
                        /** @description Sequence number of the change; null for a test. */
                        sequence: number | null;
                        /** @description Number of the attempt for this change. */
                        attempt: number;
                        /**
                         * Format: date-time
                         * @description Start of the attempt.
                         */
                        date: string;
                        /** @description HTTP status of the response; null if there was none. */
                        status: number | null;
                        /** @description Duration in milliseconds. */
                        ms: number;
                        /** @description Why the attempt failed; null if it succeeded. */
                        error: string | null;
                        /** @description The first KiB of the response body. */
                        answer: string | null;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    list_webhook_deliveries: {
        parameters: {
            query?: {
                /** @description The value page.next of the previous page. */
                cursor?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook_delivery": [
                     *         {
                     *           "number": 1,
                     *           "type": "asset_file.update",
                     *           "message_id": "msg_1_7",
                     *           "sequence": 7,
                     *           "attempt": 1,
                     *           "date": "2026-01-31T12:00:00.000Z",
                     *           "status": 200,
                     *           "ms": 12,
                     *           "error": null,
                     *           "answer": "ok"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook_delivery: {
                            /** @description Number of the attempt in the delivery log; numbers increase. */
                            number?: number;
                            /** @description Type of the event, as sent to the receiver: asset_file.update, or webhook.test. */
                            type: string;
                            /** @description Value of the header webhook-id, the same for every attempt. */
                            message_id: string;
                            /** @description Sequence number of the change; null for a test. */
                            sequence: number | null;
                            /** @description Number of the attempt for this change. */
                            attempt: number;
                            /**
                             * Format: date-time
                             * @description Start of the attempt.
                             */
                            date: string;
                            /** @description HTTP status of the response; null if there was none. */
                            status: number | null;
                            /** @description Duration in milliseconds. */
                            ms: number;
                            /** @description Why the attempt failed; null if it succeeded. */
                            error: string | null;
                            /** @description The first KiB of the response body. */
                            answer: string | null;
                        }[];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, its user, and what it may do. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "user_id": 2,
                     *         "name": "editor",
                     *         "display_name": null,
                     *         "former_names": null
                     *       },
                     *       "api_key": {
                     *         "api_key_id": 5,
                     *         "name": "site",
                     *         "grants": [
                     *           "view"
                     *         ],
                     *         "asset_category_id": 13,
                     *         "date_expires": null
                     *       },
                     *       "grants": [],
                     *       "asset_category": [
                     *         {
                     *           "asset_category_id": 13,
                     *           "path": "/news",
                     *           "grants": [
                     *             "view"
                     *           ]
                     *         }
                     *       ],
                     *       "trash_days": 30,
                     *       "site": [
                     *         {
                     *           "origin": "https://www.example.org",
                     *           "asset_category_id": 13
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        user: {
                            user_id: number;
                            name: string;
                            /** @description Null for a key without the admin grant, except for a session. */
                            display_name: string | null;
                            /** @description Names that records may still have. Null like the display name. */
                            former_names: string[] | null;
                        };
                        api_key: {
                            api_key_id: number;
                            name: string;
                            /** @description The grants to which the key is limited; null: all grants of its user. */
                            grants: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[] | null;
                            /** @description The folder to which the key is limited; null: no limit. */
                            asset_category_id: number | null;
                            /** Format: date-time */
                            date_expires: string | null;
                        };
                        /** @description Grants on objects that are in no folder: users, keys, the audit trail. */
                        grants: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
                        /** @description Folders in which the grants of the key begin or change. The grants also apply to all subfolders. */
                        asset_category: {
                            asset_category_id: number;
                            path: string;
                            grants: ("view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin")[];
                        }[];
                        /** @description Days until the trash deletes records permanently; 0: there is no trash. */
                        trash_days: number;
                        /** @description The sites (--site-origin) whose root folder is public. */
                        site: {
                            origin: string;
                            /** @description The root folder of the site. */
                            asset_category_id: number;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    list_my_people: {
        parameters: {
            query?: {
                /** @description The value page.next of the previous page. */
                cursor?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": [
                     *         {
                     *           "user_id": 2,
                     *           "name": "editor",
                     *           "display_name": "Ada King",
                     *           "former_names": null
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: {
                            user_id: number;
                            name: string;
                            /** @description Null for a key without the admin grant, except for a session. */
                            display_name: string | null;
                            /** @description Names that records may still have. Null like the display name. */
                            former_names: string[] | null;
                        }[];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_access: {
        parameters: {
            query?: {
                /** @description The key to check. Send either api_key_id or user_id. */
                api_key_id?: number;
                /** @description The user to check, without regard to keys. Send either user_id or api_key_id. */
                user_id?: number;
                /** @description The type of the record. */
                object?: "asset_category" | "asset_file" | "file_group" | "datatable" | "calendar" | "user" | "api_key" | "role" | "webhook" | "comment";
                /** @description Identifier of the record; for create, of the folder. */
                id?: number;
                /** @description The action to check. asset_category: create, read, update, delete; asset_file: create, read, update, delete, publish, stage, unpublish, unstage; file_group: create, read, update, delete; datatable: create, read, update, delete; calendar: create, read, update, delete; user: read, update, delete; api_key: read, update, delete, rotate; role: create, read, update, delete; webhook: create, read, update, delete; comment: create, read, update, delete. */
                action?: "create" | "read" | "update" | "delete" | "publish" | "stage" | "unpublish" | "unstage" | "rotate";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the action is allowed, and if not, why. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "allowed": false,
                     *       "missing": {
                     *         "grant": "publish",
                     *         "asset_category_id": 13,
                     *         "path": "/Main/news"
                     *       },
                     *       "because": [
                     *         {
                     *           "of": "folder",
                     *           "detail": "The role \"viewer\" in this folder does not hold \"publish\".",
                     *           "asset_category_id": 13
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        allowed: boolean;
                        missing: {
                            /** @enum {string} */
                            grant: "view" | "create" | "modify" | "delete" | "stage" | "publish" | "admin";
                            /** @description The folder in which the grant is missing; null: the whole site. */
                            asset_category_id: number | null;
                            path: string | null;
                        } | null;
                        /** @description Every reason why the action is denied. */
                        because: {
                            /**
                             * @description object: there is no such record, or the key of this request may not see it; user: the user is disabled; key: the key is inactive or has expired; role: the role of the user; folder: the role of the user in the folder or a folder above it; grants: the list of grants of the key; scope: the folder of the key; reach: the record is a key or user that holds more grants.
                             * @enum {string}
                             */
                            of: "object" | "user" | "key" | "role" | "folder" | "grants" | "scope" | "reach";
                            detail: string;
                            /** @description The folder that the reason refers to. */
                            asset_category_id: number | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    read_ways_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The available ways to sign in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "password": true,
                     *       "oidc": false
                     *     }
                     */
                    "application/json": {
                        /** @description Sign-in with a name and a password. */
                        password: boolean;
                        /** @description Sign-in with the identity provider, at GET /api/v2/session/oidc. */
                        oidc: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "ada",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** Format: password */
                    password: string;
                    /** @description The six digits of the authenticator, or a recovery code. Each code can be used once. */
                    code?: string | null;
                };
            };
        };
        responses: {
            /** @description The first secret and the session cookie. */
            201: {
                headers: {
                    /** @description The session cookie. Scripts cannot read it. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL",
                     *       "date_expires": "2026-01-02T03:14:05.000Z",
                     *       "date_ends": "2026-01-16T03:04:05.000Z",
                     *       "api_key_id": 7,
                     *       "user": {
                     *         "user_id": 2,
                     *         "name": "ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Authenticates requests like the secret of any key, until date_expires. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the secret expires. Fetch the next secret before then.
                         */
                        date_expires: string;
                        /**
                         * Format: date-time
                         * @description When the session ends at the latest. An unused session ends earlier.
                         */
                        date_ends: string;
                        /** @description Identifier of the session in the list of API keys. */
                        api_key_id: number;
                        user: {
                            user_id: number;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401.sign-in-failed.code-required.code-wrong"];
            403: components["responses"]["problem_403.cross-site"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    sign_out: {
        parameters: {
            query?: {
                /** @description true: end all sessions of the user. */
                everywhere?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    /** @description The session cookie. Scripts cannot read it. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            403: components["responses"]["problem_403.cross-site"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    sign_in_with_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    /** @description The token is at the end of the link, after the number sign. */
                    token: string;
                    /**
                     * Format: password
                     * @description At least 12 characters, with at least 5 different ones.
                     */
                    password: string;
                    /** @description The six digits of the authenticator, or a recovery code. Each code can be used once. */
                    code?: string | null;
                };
            };
        };
        responses: {
            /** @description The first secret and the session cookie. */
            201: {
                headers: {
                    /** @description The session cookie. Scripts cannot read it. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL",
                     *       "date_expires": "2026-01-02T03:14:05.000Z",
                     *       "date_ends": "2026-01-16T03:04:05.000Z",
                     *       "api_key_id": 7,
                     *       "user": {
                     *         "user_id": 2,
                     *         "name": "ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Authenticates requests like the secret of any key, until date_expires. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the secret expires. Fetch the next secret before then.
                         */
                        date_expires: string;
                        /**
                         * Format: date-time
                         * @description When the session ends at the latest. An unused session ends earlier.
                         */
                        date_ends: string;
                        /** @description Identifier of the session in the list of API keys. */
                        api_key_id: number;
                        user: {
                            user_id: number;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401.link-over.code-required.code-wrong"];
            403: components["responses"]["problem_403.cross-site"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    check_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL"
                 *     }
                 */
                "application/json": {
                    /** @description The token is at the end of the link, after the number sign. */
                    token: string;
                };
            };
        };
        responses: {
            /** @description The user who sets a password with this link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "name": "ada",
                     *       "first_start": false
                     *     }
                     */
                    "application/json": {
                        name: string;
                        /** @description Whether the link is that of the first start. */
                        first_start: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401.link-over"];
            403: components["responses"]["problem_403.cross-site"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    renew_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "cms_eO4eF5uzcjgJxXflEb2AlpqhamhWi0smbs465xyu16z2QsgUL",
                     *       "date_expires": "2026-01-02T03:14:05.000Z",
                     *       "date_ends": "2026-01-16T03:04:05.000Z",
                     *       "api_key_id": 7,
                     *       "user": {
                     *         "user_id": 2,
                     *         "name": "ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description Authenticates requests like the secret of any key, until date_expires. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description When the secret expires. Fetch the next secret before then.
                         */
                        date_expires: string;
                        /**
                         * Format: date-time
                         * @description When the session ends at the latest. An unused session ends earlier.
                         */
                        date_ends: string;
                        /** @description Identifier of the session in the list of API keys. */
                        api_key_id: number;
                        user: {
                            user_id: number;
                            name: string;
                        };
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401.session-over"];
            403: components["responses"]["problem_403.cross-site"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    begin_oidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A redirect. */
            303: {
                headers: {
                    /** @description Target of the redirect. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
    finish_oidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A redirect. */
            303: {
                headers: {
                    /** @description Target of the redirect. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    change_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery",
                 *       "new_password": "staple of another color"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description The current password, if there is one.
                     */
                    password?: string | null;
                    /**
                     * Format: password
                     * @description At least 12 characters, with at least 5 different ones.
                     */
                    new_password: string;
                };
            };
        };
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    set_password: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    /** @description At least 12 characters, with at least 5 different ones. null: the user can no longer sign in with a password. */
                    password: string | null;
                };
            };
        };
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            404: components["responses"]["problem_404"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    make_user_link: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, which is shown only once. */
            201: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "/admin/welcome#4wVZ1Lt2hXwYQ8nD0cJmK5sRbG7uE3aPfT9iCxNoHvk",
                     *       "token": "4wVZ1Lt2hXwYQ8nD0cJmK5sRbG7uE3aPfT9iCxNoHvk",
                     *       "date_expires": "2026-01-05T03:04:05.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description The link without the address of the server. It opens a page of /admin. */
                        url: string;
                        /** @description The token of the link, as POST /api/v2/session/link expects it. */
                        token: string;
                        /** Format: date-time */
                        date_expires: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409.in-use"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    revoke_user_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    list_shared_links: {
        parameters: {
            query?: {
                /** @description asset_file_link: links to files and to previews of sites. user_link: links by which other users set their passwords. Default: asset_file_link. */
                kind?: "asset_file_link" | "user_link";
                /** @description The value page.next of the previous page. */
                cursor?: number;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    /** @description Number of all matches, if known; the same as page.total. */
                    "X-Total"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "shared_link": [
                     *         {
                     *           "asset_file_link_id": 1,
                     *           "asset_file_id": 12,
                     *           "state": "stage",
                     *           "version": null,
                     *           "site": null,
                     *           "note": "for the print shop",
                     *           "url": "/link/dGhpcyBpcyBub3QgYSBsaW5rAAAAAAAAAAAAAA/leaflet.pdf",
                     *           "date_expires": "2026-02-01T12:00:00.000Z",
                     *           "user_id": 1,
                     *           "api_key_id": null,
                     *           "date_added": "2026-01-31T12:00:00.000Z",
                     *           "owner": "ada"
                     *         }
                     *       ],
                     *       "page": {
                     *         "start": 1,
                     *         "length": 100,
                     *         "total": 1,
                     *         "next": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        shared_link: (components["schemas"]["asset_file_link"] | {
                            /** @description The user who can set a password with the link. */
                            user_id: number;
                            /** @description The name of this user. */
                            name: string;
                            /** Format: date-time */
                            date_expires: string;
                        })[];
                        page: components["schemas"]["page"];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    revoke_shared_links: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    read_saved_views: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All views of the user, in the order in which they were sent. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "views": [
                     *         {
                     *           "name": "Changed drafts",
                     *           "page": "content",
                     *           "query": "state=changed&sort=-date_modified"
                     *         },
                     *         {
                     *           "name": "Cheap",
                     *           "page": "data/7",
                     *           "query": "sort=price"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        views: {
                            /** @description Unique among the views of the page; case is ignored. */
                            name: string;
                            /** @description The page of the administration area: content, or data/{datatable_id} for the entries of a datatable. */
                            page: string;
                            /** @description The part of the address of the page after the question mark, percent-encoded. */
                            query: string;
                        }[];
                    };
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    replace_saved_views: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "views": [
                 *         {
                 *           "name": "Changed drafts",
                 *           "page": "content",
                 *           "query": "state=changed&sort=-date_modified"
                 *         },
                 *         {
                 *           "name": "Cheap",
                 *           "page": "data/7",
                 *           "query": "sort=price"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    views: {
                        /** @description Unique among the views of the page; case is ignored. */
                        name: string;
                        /** @description The page of the administration area: content, or data/{datatable_id} for the entries of a datatable. */
                        page: string;
                        /** @description The part of the address of the page after the question mark, percent-encoded. */
                        query: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description All views of the user, in the order in which they were sent. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "views": [
                     *         {
                     *           "name": "Changed drafts",
                     *           "page": "content",
                     *           "query": "state=changed&sort=-date_modified"
                     *         },
                     *         {
                     *           "name": "Cheap",
                     *           "page": "data/7",
                     *           "query": "sort=price"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        views: {
                            /** @description Unique among the views of the page; case is ignored. */
                            name: string;
                            /** @description The page of the administration area: content, or data/{datatable_id} for the entries of a datatable. */
                            page: string;
                            /** @description The part of the address of the page after the question mark, percent-encoded. */
                            query: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    begin_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description The current password.
                     */
                    password: string;
                    /** @description Required if the user has a second factor: one of its codes. */
                    code?: string | null;
                };
            };
        };
        responses: {
            /** @description The secret for an authenticator app. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
                     *       "uri": "otpauth://totp/cms.example.org:ada?issuer=cms.example.org&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30"
                     *     }
                     */
                    "application/json": {
                        /** @description Base32, for manual entry. Shown only once. */
                        secret: string;
                        /** @description The same secret as a URI, for a QR code. */
                        uri: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    confirm_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "123456"
                 *     }
                 */
                "application/json": {
                    /** @description The six digits of the authenticator, or a recovery code. Each code can be used once. */
                    code: string;
                };
            };
        };
        responses: {
            /** @description The recovery codes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "8f3k-2m9q-x7zt-04wd",
                     *         "1c5n-v0ge-67yh-j2rs"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Shown only once. Each code can be used once in place of a code of the authenticator. */
                        recovery_codes: string[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            404: components["responses"]["problem_404"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    remove_own_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description The current password.
                     */
                    password: string;
                    /** @description Required if the user has a second factor: one of its codes. */
                    code?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    renew_recovery_codes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 8 KiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: password
                     * @description The current password.
                     */
                    password: string;
                    /** @description Required if the user has a second factor: one of its codes. */
                    code?: string | null;
                };
            };
        };
        responses: {
            /** @description The recovery codes. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recovery_codes": [
                     *         "8f3k-2m9q-x7zt-04wd",
                     *         "1c5n-v0ge-67yh-j2rs"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /** @description Shown only once. Each code can be used once in place of a code of the authenticator. */
                        recovery_codes: string[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            404: components["responses"]["problem_404"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    remove_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.session-required"];
            404: components["responses"]["problem_404"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    upload_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description A file of at most 64 MiB (--max-upload-mb), and at most 64 KiB of other parts. */
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The bytes, with a file name.
                     */
                    Filedata: string;
                    /** @description The file whose content is replaced. */
                    asset_file_id?: number;
                    /** @description The folder of the new file. */
                    asset_category_id?: number;
                    /** @description Name of the file, if it differs from the file name of Filedata. Without this part, a replaced file keeps its name. */
                    name?: string;
                    /** @description A short token: html, pdf, css, png … Without this part, a new file gets its type from the file name extension, and a replaced file keeps its type. */
                    type?: string;
                    /** @description Title for display. */
                    title?: string;
                    /** @description Alternative text: what a picture shows, for people who do not see it. "" marks a picture that only decorates. */
                    alt_text?: string;
                    /** @description Why the latest version was saved, for the people who work on the file. The note belongs to one version: a save without it has none. Null for keys with only the view grant. Not searchable. */
                    version_note?: string;
                    /** @description The point of a picture that a crop keeps (fit=cover), as "x,y" from the left and the top, each from 0 to 1: "0.5,0.25". Null is the center. */
                    focus?: string;
                    /**
                     * @description The more recent of the actions publish and stage; null before both. Setting the field publishes or stages the file, unless the whole record is sent back with an unchanged fileState.
                     * @enum {string}
                     */
                    fileState?: "publish" | "stage";
                    /**
                     * Format: date-time
                     * @description When the server publishes the version publish_version. It must be in the future and a whole second. The grant publish is needed when the time is set and when it comes; null cancels it. A later save does not change what is published. Setting the field changes neither version nor date_modified. Null for keys that do not see drafts.
                     */
                    publish_at?: string;
                    /**
                     * Format: date-time
                     * @description When the server unpublishes the file. It must be in the future and a whole second. It must be later than publish_at. Needs the grant publish, like publish_at. Null for keys that do not see drafts.
                     */
                    unpublish_at?: string;
                    /**
                     * Format: date-time
                     * @description When the server stages the version stage_version. It must be in the future and a whole second. Needs the grant stage, like publish_at. Null for keys that do not see drafts.
                     */
                    stage_at?: string;
                };
            };
        };
        responses: {
            /** @description The file with its new version. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": "<p>Hello</p>",
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            /** @description The new file. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "asset_file_id": 2,
                     *       "name": "hello.html",
                     *       "type": "html",
                     *       "parent_category_id": 1,
                     *       "pageContent": null,
                     *       "fileState": "publish",
                     *       "title": null,
                     *       "description": null,
                     *       "alt_text": null,
                     *       "focus": null,
                     *       "layout_file_id": null,
                     *       "version_note": null,
                     *       "version": 1,
                     *       "live_version": 1,
                     *       "staged_version": 1,
                     *       "state": "published",
                     *       "size": 12,
                     *       "sha256": "d0a26d23e9d8e0538fd47e7bc502d26cf6c320e8daaec7c8521d4769530f5900",
                     *       "mime_type": "text/html",
                     *       "width": null,
                     *       "height": null,
                     *       "thumbhash": null,
                     *       "was_published": true,
                     *       "date_published": "2026-01-31T12:00:00.000Z",
                     *       "date_staged": "2026-01-31T12:00:00.000Z",
                     *       "publish_at": null,
                     *       "publish_version": null,
                     *       "unpublish_at": null,
                     *       "stage_at": null,
                     *       "stage_version": null,
                     *       "schedule_failed_at": null,
                     *       "schedule_fault": null,
                     *       "pinned_versions": null,
                     *       "path": "/Main/hello.html",
                     *       "url": "/file/2/hello.html",
                     *       "date_added": "2026-01-31T12:00:00.000Z",
                     *       "date_modified": "2026-01-31T12:00:00.000Z",
                     *       "owner": "admin"
                     *     }
                     */
                    "application/json": components["schemas"]["asset_file"];
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    begin_resumable_upload: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol: 1.0.0. */
                "Tus-Resumable": string;
                /** @description The size of the whole file in bytes. */
                "Upload-Length"?: string;
                /** @description 1: the length is sent later, with PATCH. */
                "Upload-Defer-Length"?: string;
                /** @description Pairs of a key and a value in base64, separated by commas. */
                "Upload-Metadata"?: string;
                /** @description sha1 or sha256, a space, and the digest of the body in base64. If it differs, the bytes are dropped and the status is 460. */
                "Upload-Checksum"?: string;
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload has begun. Location is its address. */
            201: {
                headers: {
                    /** @description Address of the new record. Absent if a list was created. */
                    Location?: string;
                    /** @description The version of tus: 1.0.0. */
                    "Tus-Resumable"?: string;
                    /** @description Bytes of the upload that are durable. */
                    "Upload-Offset"?: string;
                    /** @description When the upload expires if no more bytes arrive. Absent if the upload is complete. */
                    "Upload-Expires"?: string;
                    /** @description The asset_file_id of the new or replaced file. Absent until the upload is complete. */
                    "Upload-Asset-File-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            460: components["responses"]["problem_460"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    read_resumable_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the address that Location gives. */
                upload: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the upload, also in headers. */
            200: {
                headers: {
                    /** @description The version of tus: 1.0.0. */
                    "Tus-Resumable"?: string;
                    /** @description Bytes of the upload that are durable. */
                    "Upload-Offset"?: string;
                    /** @description When the upload expires if no more bytes arrive. Absent if the upload is complete. */
                    "Upload-Expires"?: string;
                    /** @description The asset_file_id of the new or replaced file. Absent until the upload is complete. */
                    "Upload-Asset-File-Id"?: string;
                    /** @description Size of the whole upload. Absent while it is deferred. */
                    "Upload-Length"?: string;
                    /** @description 1 while the length is deferred. */
                    "Upload-Defer-Length"?: string;
                    /** @description The header as it was sent when the upload began. */
                    "Upload-Metadata"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "offset": 1048576,
                     *       "length": 734003200,
                     *       "date_expires": "2026-01-02T03:04:05.678Z",
                     *       "asset_file_id": null,
                     *       "version": null
                     *     }
                     */
                    "application/json": {
                        /** @description Durable bytes. */
                        offset: number;
                        /** @description null if it was deferred. */
                        length: number | null;
                        /**
                         * Format: date-time
                         * @description When the upload expires if no more bytes arrive; null if the upload is complete.
                         */
                        date_expires: string | null;
                        /** @description The new or replaced file; null until the upload is complete. */
                        asset_file_id: number | null;
                        /** @description The version of that file. */
                        version: number | null;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    end_resumable_upload: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol: 1.0.0. */
                "Tus-Resumable": string;
            };
            path: {
                /** @description The last part of the address that Location gives. */
                upload: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. The response has no body. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    append_resumable_upload: {
        parameters: {
            query?: never;
            header: {
                /** @description The version of the protocol: 1.0.0. */
                "Tus-Resumable": string;
                /** @description The offset of the first byte of the body. */
                "Upload-Offset": string;
                /** @description The size of the whole file in bytes. */
                "Upload-Length"?: string;
                /** @description sha1 or sha256, a space, and the digest of the body in base64. If it differs, the bytes are dropped and the status is 460. */
                "Upload-Checksum"?: string;
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
            };
            path: {
                /** @description The last part of the address that Location gives. */
                upload: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes are durable. */
            204: {
                headers: {
                    /** @description The version of tus: 1.0.0. */
                    "Tus-Resumable"?: string;
                    /** @description Bytes of the upload that are durable. */
                    "Upload-Offset"?: string;
                    /** @description When the upload expires if no more bytes arrive. Absent if the upload is complete. */
                    "Upload-Expires"?: string;
                    /** @description The asset_file_id of the new or replaced file. Absent until the upload is complete. */
                    "Upload-Asset-File-Id"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            460: components["responses"]["problem_460"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    download_file: {
        parameters: {
            query?: {
                /** @description stage: return the staged version. */
                state?: "live" | "stage";
                /** @description Number of the version; not allowed together with state. */
                version?: number;
                /** @description Width of a picture in pixels; the picture is never enlarged. Without a key, one of 160, 320, 480, 640, 800, 1024, 1280, 1600, 1920, 2560, only with format. */
                width?: number;
                /** @description Height of a picture in pixels. */
                height?: number;
                /** @description With width and height: cover (default) crops the picture, contain adds a border, inside keeps the picture within both. */
                fit?: "cover" | "contain" | "inside";
                /** @description Format of a picture. auto (default): WebP if the header Accept names it, otherwise JPEG, PNG or GIF. */
                format?: "auto" | "webp" | "avif" | "jpeg" | "png";
                /** @description Quality of a picture, not for png. */
                quality?: number;
                /** @description The point that a crop keeps, as "x,y" from 0 to 1. Default: the focus of the file, or the center. */
                focus?: string;
                /** @description A set of these parameters by its name (--picture-presets); not together with the others. */
                preset?: string;
                /** @description A ticket from `POST /ticket`, in place of the header Authorization. It must be the last query parameter. */
                ticket?: string;
            };
            header?: {
                /** @description One range of bytes. */
                Range?: string;
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The asset_file_id of a file with this name, otherwise the asset_category_id of the folder that contains the file. */
                number: number;
                /** @description Name of the file. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    /** @description bytes: the header Range can request a part. */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    /** @description bytes: the header Range can request a part. */
                    "Accept-Ranges"?: string;
                    /** @description The range of bytes in this response. */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    /** @description The end of the second in which the bytes at this address last changed. Absent for two seconds after a change, because a date cannot distinguish two contents of the same second. */
                    "Last-Modified"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The live file has moved. The server redirects the old address, with the query as sent, until another file uses that address. A ticket is replaced by a ticket for the new address. */
            308: {
                headers: {
                    /** @description The current address: /file/{asset_file_id}/{name}. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.ticket-as-code"];
            404: components["responses"]["problem_404"];
            412: components["responses"]["problem_412"];
            416: components["responses"]["problem_416"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            501: components["responses"]["problem_501"];
            default: components["responses"]["problem"];
        };
    };
    read_backup: {
        parameters: {
            query?: {
                /** @description A ticket from `POST /ticket`, in place of the header Authorization. It must be the last query parameter. */
                ticket?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A tar file. */
            200: {
                headers: {
                    /** @description Name of the file, and whether a browser may display it. */
                    "Content-Disposition"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403.grant-missing.ticket-as-code"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    check_stml: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 17 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. A text has at most 16 MiB. Upload larger files and files that are not text. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pageContent": "<div id=\"dd.0\"><p>Hello</div>"
                 *     }
                 */
                "application/json": {
                    pageContent: string;
                };
            };
        };
        responses: {
            /** @description A list with the first error, or an empty list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "faults": [
                     *         {
                     *           "line": 1,
                     *           "column": 24,
                     *           "detail": "</div> does not close <p> of line 1. Add </p> before it, or remove it."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        faults: {
                            line: number;
                            /** @description Column in UTF-16 code units. */
                            column: number;
                            /** @description What is wrong, and what to do. */
                            detail: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    list_asset_file_uses: {
        parameters: {
            query?: {
                /** @description The value next of the previous page. */
                cursor?: string;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description true: only live pages that show the file or the menu. */
                shown?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pages": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "name": "index.html",
                     *           "title": null,
                     *           "type": "html",
                     *           "path": "/Main/website/index.html",
                     *           "state": "published",
                     *           "in_live": true,
                     *           "in_staged": true,
                     *           "in_latest": true
                     *         }
                     *       ],
                     *       "file_groups": [],
                     *       "entries": [],
                     *       "next": null,
                     *       "is_complete": true
                     *     }
                     */
                    "application/json": {
                        pages: {
                            asset_file_id: number;
                            name: string;
                            title: string | null;
                            type: string;
                            path: string;
                            state: string;
                            /** @description The live version leads to the file, or shows the menu. */
                            in_live: boolean;
                            in_staged: boolean;
                            in_latest: boolean;
                        }[];
                        /** @description The cursor of the next page, if there is one. */
                        next: string | null;
                        file_groups: {
                            file_group_id: number;
                            name: string;
                        }[];
                        entries: {
                            /** @enum {string} */
                            object: "datatable" | "calendar";
                            module_id: number;
                            module_name: string;
                            entry_id: number;
                            /** @description The column that refers to the file. */
                            column: string;
                        }[];
                        /** @description false: there are more file groups or entries, or the server has not yet read all pages. */
                        is_complete: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    list_file_group_uses: {
        parameters: {
            query?: {
                /** @description The value next of the previous page. */
                cursor?: string;
                /** @description Maximum number of records per page; 100 by default. A page with fewer records is not necessarily the last: a page also ends after 16 MiB, or after 100,000 scanned records. page.next says whether more follow. A search that finds nothing in 2 s returns an empty page with page.complete false: continue with page.next. */
                length?: number;
                /** @description true: only live pages that show the file or the menu. */
                shown?: boolean;
            };
            header?: never;
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of the list. */
            200: {
                headers: {
                    /** @description Address of the next page, rel="next". */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pages": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "name": "index.html",
                     *           "title": null,
                     *           "type": "html",
                     *           "path": "/Main/website/index.html",
                     *           "state": "published",
                     *           "in_live": true,
                     *           "in_staged": true,
                     *           "in_latest": true
                     *         }
                     *       ],
                     *       "next": null,
                     *       "is_complete": true
                     *     }
                     */
                    "application/json": {
                        pages: {
                            asset_file_id: number;
                            name: string;
                            title: string | null;
                            type: string;
                            path: string;
                            state: string;
                            /** @description The live version leads to the file, or shows the menu. */
                            in_live: boolean;
                            in_staged: boolean;
                            in_latest: boolean;
                        }[];
                        /** @description The cursor of the next page, if there is one. */
                        next: string | null;
                        /** @description false: the server has not yet read all pages. */
                        is_complete: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    check_links: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 17 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. A text has at most 16 MiB. Upload larger files and files that are not text. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pageContent": "<a href=\"misspelt.html\">",
                 *       "type": "html",
                 *       "parent_category_id": 1
                 *     }
                 */
                "application/json": {
                    pageContent: string;
                    /** @description html, stml, svg, md or css. */
                    type: string;
                    /** @description The folder of the page. */
                    parent_category_id: number;
                };
            };
        };
        responses: {
            /** @description The addresses that lead nowhere, in the order of the text. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "address": "misspelt.html",
                     *           "offset": 9,
                     *           "length": 13,
                     *           "line": 1,
                     *           "column": 10,
                     *           "reason": "missing",
                     *           "asset_file_id": null
                     *         }
                     *       ],
                     *       "is_complete": true
                     *     }
                     */
                    "application/json": {
                        links: {
                            /** @description The address without query and fragment; asset_file:N or file_group:N for a shortcode. */
                            address: string;
                            /** @description The place in the text, in UTF-16 code units. */
                            offset: number;
                            /** @description The length of the address in the text. */
                            length: number;
                            line: number;
                            /** @description Column in UTF-16 code units. */
                            column: number;
                            /**
                             * @description missing: no file is there that the key may see. unpublished: the file is not live under this address. private: the page is in a public folder, and the file or menu is not.
                             * @enum {string}
                             */
                            reason: "missing" | "unpublished" | "private";
                            /** @description The file; null if there is none, and for a menu. */
                            asset_file_id: number | null;
                        }[];
                        /** @description false: more addresses than are checked or listed. */
                        is_complete: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    check_file_links: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "asset_file_ids": [
                 *         2
                 *       ]
                 *     }
                 */
                "application/json": {
                    asset_file_ids: number[];
                };
            };
        };
        responses: {
            /** @description The files with such addresses, in the order of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "files": [
                     *         {
                     *           "asset_file_id": 2,
                     *           "name": "index.html",
                     *           "links": [
                     *             {
                     *               "address": "misspelt.html",
                     *               "reason": "missing",
                     *               "asset_file_id": null
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "is_complete": true
                     *     }
                     */
                    "application/json": {
                        files: {
                            asset_file_id: number;
                            name: string;
                            links: {
                                /** @description The address without query and fragment; asset_file:N or file_group:N for a shortcode. */
                                address: string;
                                /**
                                 * @description missing: no file is there that the key may see. unpublished: the file is not live under this address. private: the page is in a public folder, and the file or menu is not.
                                 * @enum {string}
                                 */
                                reason: "missing" | "unpublished" | "private";
                                /** @description The file; null if there is none, and for a menu. */
                                asset_file_id: number | null;
                            }[];
                        }[];
                        /** @description false: the files have more addresses than are checked or listed, or the server has not yet read all files. */
                        is_complete: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    restore_trash: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of the record as the client read it. If the record has changed since, the change is rejected with 412. Only the part before the dot is compared: the revision of the record and a history mark of the site. A W/ prefix is ignored. */
                "If-Match"?: string;
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Identifier of the record. */
                id: number;
            };
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description The folder; default: the folder in which the record lay. */
                    parent_category_id?: number | null;
                    /** @description A new name for a file or a folder. */
                    name?: string | null;
                    /** @description true: references of entries to records that no longer exist become empty. Otherwise such references prevent the restore. */
                    clear_references?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The restored record. */
            200: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "object": "asset_file",
                     *       "object_id": 2,
                     *       "module_id": null,
                     *       "name": "index.html",
                     *       "asset_category_id": 1,
                     *       "count": 1,
                     *       "is_pending": false
                     *     }
                     */
                    "application/json": {
                        /** @description Kind of the restored record. */
                        object: string;
                        /** @description Its identifier, the same as before. */
                        object_id: number;
                        /** @description The datatable or calendar of an entry. */
                        module_id: number | null;
                        /** @description Its name; null for an entry. */
                        name: string | null;
                        /** @description Its folder; for an entry, the folder of its module. */
                        asset_category_id: number;
                        /** @description Number of restored records. */
                        count: number;
                        /** @description The record is back. Memberships in groups and entries that depend on the record are still returning. */
                        is_pending: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            409: components["responses"]["problem_409"];
            412: components["responses"]["problem_412"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            507: components["responses"]["problem_507"];
            default: components["responses"]["problem"];
        };
    };
    bulk_delete_trash: {
        parameters: {
            query?: never;
            header?: {
                /** @description A new value for each request, for example a UUID. If the same request is sent again within 24 hours, it changes nothing and gets the same response. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dry_run": true
                 *     }
                 */
                "application/json": {
                    /** @description Items with a higher number stay. */
                    through?: number | null;
                    /** @description Return the numbers without removing anything. */
                    dry_run?: boolean | null;
                };
            };
        };
        responses: {
            /** @description What was removed. */
            200: {
                headers: {
                    /** @description true: the response of an earlier request with the same key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3,
                     *       "size": 40960,
                     *       "through": 7,
                     *       "dry_run": true
                     *     }
                     */
                    "application/json": {
                        /** @description Items that were removed; in a dry run, that would be. */
                        count: number;
                        /** @description Bytes of the contents of these items. */
                        size: number;
                        /** @description The highest number of these items; null if there are none. */
                        through: number | null;
                        dry_run: boolean;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            409: components["responses"]["problem_409"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503"];
            default: components["responses"]["problem"];
        };
    };
    make_ticket: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "path": "/file/12/a.pdf?version=3"
                 *     }
                 */
                "application/json": {
                    /** @description Path and query of the download, as in the field url of a file. */
                    path: string;
                    /**
                     * @description The address works as long as the key of the request. Only for the feed of a calendar, without a query, and not for a session.
                     * @default false
                     */
                    permanent?: boolean | null;
                };
            };
        };
        responses: {
            /** @description The address with its ticket. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "path": "/file/12/a.pdf?version=3&ticket=dGhpcyBpcyBub3QgYSB0aWNrZXQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "date_expires": "2026-01-02T03:09:05.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description The requested path with the ticket appended. */
                        path: string;
                        /** Format: date-time */
                        date_expires: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    make_preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB of JSON in UTF-8, with at most 1,000 keys, nested at most 32 deep. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "site": "https://www.example.org"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int64
                     * @description The file whose page the url opens; default: the start of the site.
                     */
                    asset_file_id?: number | null;
                    /** @description The origin of the site; default: the site that shows the file. Required if there are several sites and no asset_file_id. */
                    site?: string | null;
                    /**
                     * Format: date-time
                     * @description When the link ends: at most 24 hours from now; default: in one hour.
                     */
                    date_expires?: string | null;
                };
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://www.example.org/~preview/dGhpcyBpcyBub3QgYSB0b2tlbiBvZiBhIHByZXZpZXcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/",
                     *       "site": "https://www.example.org",
                     *       "date_expires": "2026-01-02T04:04:05.000Z"
                     *     }
                     */
                    "application/json": {
                        /** @description The address of the page in the preview. */
                        url: string;
                        /** @description The origin of the site. */
                        site: string;
                        /**
                         * Format: date-time
                         * @description When the link ends: at most 24 hours from now; default: in one hour.
                         */
                        date_expires: string;
                    };
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            404: components["responses"]["problem_404"];
            413: components["responses"]["problem_413"];
            415: components["responses"]["problem_415"];
            422: components["responses"]["problem_422"];
            429: components["responses"]["problem_429"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    list_problems: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_problem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The value of code in a problem. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
    read_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is running. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ok";
                    };
                };
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_ready: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The server accepts requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ready",
                     *       "version": "0.1.0+1016.c5ba2ef"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "ready";
                        /** @description Version of this build: the release, then after `+` the number of commits and the commit hash. */
                        version: string;
                        /** @description Conditions that the operator should know about although the server accepts all requests. Absent if there are none. */
                        warnings?: {
                            /** @enum {string} */
                            code: "documents-public" | "few-files" | "few-processes" | "live-tree-behind" | "live-tree-skipped" | "pictures-unsupported" | "read-only" | "site-hidden";
                            /** @description The condition, and what to do. */
                            detail: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["problem_400"];
            503: components["responses"]["problem_503.unavailable"];
            default: components["responses"]["problem"];
        };
    };
    read_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["problem_400"];
            401: components["responses"]["problem_401"];
            403: components["responses"]["problem_403"];
            429: components["responses"]["problem_429"];
            default: components["responses"]["problem"];
        };
    };
    show_admin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Redirects from below /api/v2 to the page itself. */
            303: {
                headers: {
                    /** @description Address of the page. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
    show_admin_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The rest of the path, which may contain slashes. */
                rest: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Redirects from below /api/v2 to the page itself. */
            303: {
                headers: {
                    /** @description Address of the page. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
    show_admin_preview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
    read_admin_asset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the file, as in the link of the page. The name changes with the content. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A script or style sheet of the pages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
    read_entrance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses of the documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documents": {
                     *         "system": "http://localhost:8080/public/api/system/swagger.json",
                     *         "module": "http://localhost:8080/public/api/module/swagger.json"
                     *       },
                     *       "pages": {
                     *         "system": "http://localhost:8080/public/api/system",
                     *         "module": "http://localhost:8080/public/api/module"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description OpenAPI documents. */
                        documents: {
                            system: string;
                            module: string;
                        };
                        /** @description The same documents as web pages. */
                        pages: {
                            system: string;
                            module: string;
                        };
                    };
                };
            };
            /** @description Redirects to the administration area. */
            303: {
                headers: {
                    /** @description Address of the page. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_public_entrance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses of the documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documents": {
                     *         "system": "http://localhost:8080/public/api/system/swagger.json",
                     *         "module": "http://localhost:8080/public/api/module/swagger.json"
                     *       },
                     *       "pages": {
                     *         "system": "http://localhost:8080/public/api/system",
                     *         "module": "http://localhost:8080/public/api/module"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description OpenAPI documents. */
                        documents: {
                            system: string;
                            module: string;
                        };
                        /** @description The same documents as web pages. */
                        pages: {
                            system: string;
                            module: string;
                        };
                    };
                };
            };
            /** @description Redirects to the page of the System API. */
            303: {
                headers: {
                    /** @description Address of the page. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_api_entrance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses of the documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documents": {
                     *         "system": "http://localhost:8080/public/api/system/swagger.json",
                     *         "module": "http://localhost:8080/public/api/module/swagger.json"
                     *       },
                     *       "pages": {
                     *         "system": "http://localhost:8080/public/api/system",
                     *         "module": "http://localhost:8080/public/api/module"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description OpenAPI documents. */
                        documents: {
                            system: string;
                            module: string;
                        };
                        /** @description The same documents as web pages. */
                        pages: {
                            system: string;
                            module: string;
                        };
                    };
                };
            };
            /** @description Redirects to the page of the System API. */
            303: {
                headers: {
                    /** @description Address of the page. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_docs_entrance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Addresses of the documents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "documents": {
                     *         "system": "http://localhost:8080/public/api/system/swagger.json",
                     *         "module": "http://localhost:8080/public/api/module/swagger.json"
                     *       },
                     *       "pages": {
                     *         "system": "http://localhost:8080/public/api/system",
                     *         "module": "http://localhost:8080/public/api/module"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @description OpenAPI documents. */
                        documents: {
                            system: string;
                            module: string;
                        };
                        /** @description The same documents as web pages. */
                        pages: {
                            system: string;
                            module: string;
                        };
                    };
                };
            };
            /** @description Redirects to the page of the System API. */
            303: {
                headers: {
                    /** @description Address of the page. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    show_system_api: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_system_document: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    show_module_api: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_module_document: {
        parameters: {
            query?: {
                /** @description One module, as modules.json names it: datatable/5 or calendar/5. Without this parameter, the document has all modules, which is 12 MB for a thousand modules. */
                module?: string;
            };
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0"
                     *     }
                     */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            413: components["responses"]["problem_413"];
            default: components["responses"]["problem"];
        };
    };
    list_documented_modules: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The names of the modules. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "modules": [
                     *         {
                     *           "module": "datatable/5",
                     *           "name": "cities"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        modules: {
                            /** @description Type and identifier of the module: datatable/5. */
                            module: string;
                            name: string;
                        }[];
                    };
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            default: components["responses"]["problem"];
        };
    };
    read_module_types: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag. If the response still has this ETag, the status is 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A TypeScript module. */
            200: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The response has not changed since the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description For If-Match and If-None-Match: the revision with a history mark of the site, a dot, and a checksum of this response. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["problem_400"];
            413: components["responses"]["problem_413"];
            default: components["responses"]["problem"];
        };
    };
    read_document_asset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Version of the files, as in the links of the pages. It changes with each release. */
                version: string;
                /** @description Name of the script or style sheet. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A script or style sheet of the pages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["problem_400"];
            404: components["responses"]["problem_404"];
            default: components["responses"]["problem"];
        };
    };
}
