/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.core.commit;

/**
 * The segments that a delete or a rollback makes. A delete makes one for each segment that it removes and of which records stay, a
 * rollback one for each segment that it restores. The id is that of the change, a dot, and the place of the removed or restored segment
 * among those that the change names, from 0.
 */
public final class KeptSegment {
    /** The id of a delete starts with this: ids of segments tell what a delete has made. */
    public static final String ID_PREFIX = "delete-";

    /** The id of a rollback starts with this. */
    public static final String ROLLBACK_PREFIX = "rollback-";

    /** The most digits of a place. */
    private static final int DIGITS = 6;

    private KeptSegment() {}

    /** The id of the segment with the records that stay of a removed one, or with those of a restored one. */
    public static String id(String change, int place) {
        return change + "." + place;
    }

    /** True if a change is a delete or a rollback, by its id. */
    public static boolean makesThem(String change) {
        return change.startsWith(ID_PREFIX) || isRollback(change);
    }

    /** True if a change is a rollback, by its id. */
    public static boolean isRollback(String change) {
        return change.startsWith(ROLLBACK_PREFIX);
    }

    /** True if a segment's id is one of those that a delete or a rollback gives. */
    public static boolean isOf(String segment, String change) {
        return makesThem(change) && changeOf(segment).equals(change) && !segment.equals(change);
    }

    /** The id of the change that has made a segment: for any other segment than those of deletes and rollbacks, the segment's own. */
    public static String changeOf(String segment) {
        int dot = segment.lastIndexOf('.');
        int digits = segment.length() - dot - 1;
        boolean kept = makesThem(segment)
                && dot > (isRollback(segment) ? ROLLBACK_PREFIX : ID_PREFIX).length()
                && digits > 0
                && digits <= DIGITS
                && segment.chars().skip(dot + 1).allMatch(c -> c >= '0' && c <= '9');
        return kept ? segment.substring(0, dot) : segment;
    }
}
