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
package org.hadoopmpsr.namenode.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.PlanResponseProto;
import org.jspecify.annotations.Nullable;

/**
 * Where a page of a plan begins, and what its answer needs of the first page. It tells nothing that the first page has not
 * told, and gives no right: each page asks for the rights anew.
 *
 * @param from the start of the page in its part
 * @param generation of the first page
 * @param union of the first page; null without one
 * @param part the part that the page is of
 * @param directories for each part how many directories of its files name values, as digits of base 36
 */
record PageToken(long from, long generation, @Nullable Long union, int part, String directories) {
    private static final Pattern TEXT =
            Pattern.compile("(\\d{1,19})-(\\d{1,19})-(\\d{0,19})-(\\d{1,4})-([0-9a-z]{1,64})");

    /** The token for the page after this one, as text; null if it is the last one. */
    static @Nullable String next(PlanResponseProto page, PageToken first) {
        return page.hasNext()
                ? new PageToken(page.getNext(), first.generation, first.union, page.getNextPart(), first.directories)
                        .text()
                : null;
    }

    /** What the pages of a plan have in common. */
    static PageToken of(PlanResponseProto first, String directories) {
        return new PageToken(0, first.getGeneration(), first.hasUnion() ? first.getUnion() : null, 0, directories);
    }

    /** @throws IllegalArgumentException if the text is no token */
    static PageToken parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        try {
            if (matcher.matches()) {
                String union = matcher.group(3);
                return new PageToken(
                        Long.parseLong(matcher.group(1)),
                        Long.parseLong(matcher.group(2)),
                        union.isEmpty() ? null : Long.valueOf(union),
                        Integer.parseInt(matcher.group(4)),
                        matcher.group(5));
            }
        } catch (NumberFormatException e) {
            // as any other text
        }
        throw new IllegalArgumentException("the 'page' of a plan is '" + text
                + "', which no answer has as 'nextPage'; ask for the first page without 'page'");
    }

    void addTo(PlanRequestProto.Builder request) {
        request.setFrom(from).setGeneration(generation).setPart(part);
        if (union != null) {
            request.setUnion(union);
        }
    }

    /** How many directories name values of a file of a part. */
    int directories(int ofPart) {
        return ofPart < directories.length() ? Character.digit(directories.charAt(ofPart), Character.MAX_RADIX) : 0;
    }

    private String text() {
        return from + "-" + generation + "-" + (union == null ? "" : union) + "-" + part + "-" + directories;
    }
}
