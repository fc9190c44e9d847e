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
 * The segments that a delete makes: one for each segment that it removes and of which records stay. The id is that of the change, a
 * dot, and the place of the removed segment among those that the change names, from 0.
 */
public final class KeptSegment {
    /** The id of a delete starts with this: ids of segments tell what a delete has made. */
    public static final String ID_PREFIX = "delete-";

    /** The most digits of a place. */
    private static final int DIGITS = 6;

    private KeptSegment() {}

    /** The id of the segment with the records that stay of a removed one. */
    public static String id(String change, int place) {
        return change + "." + place;
    }

    /** True if a segment's id is one of those that a delete gives. */
    public static boolean isOf(String segment, String change) {
        return change.startsWith(ID_PREFIX) && changeOf(segment).equals(change) && !segment.equals(change);
    }

    /** The id of the change that has made a segment: for any other segment than those of deletes, the segment's own. */
    public static String changeOf(String segment) {
        int dot = segment.lastIndexOf('.');
        int digits = segment.length() - dot - 1;
        boolean kept = segment.startsWith(ID_PREFIX)
                && dot > ID_PREFIX.length()
                && digits > 0
                && digits <= DIGITS
                && segment.chars().skip(dot + 1).allMatch(c -> c >= '0' && c <= '9');
        return kept ? segment.substring(0, dot) : segment;
    }
}
