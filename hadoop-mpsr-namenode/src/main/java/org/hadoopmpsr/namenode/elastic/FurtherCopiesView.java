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
package org.hadoopmpsr.namenode.elastic;

/**
 * The further copies as of the last look.
 *
 * @param budgetPercent 0 if there are to be none
 * @param budgetBytes the most bytes that they may take
 * @param bytes that they take
 * @param files the files that have some
 * @param copies their number
 * @param waiting copies that are due and wait, because enough is copied now
 * @param refused copies that would be due and fit neither into the budget nor into a quota
 */
public record FurtherCopiesView(
        int budgetPercent, long budgetBytes, long bytes, long files, long copies, long waiting, long refused) {
    /** Before the first look. */
    static FurtherCopiesView none(int budgetPercent) {
        return new FurtherCopiesView(budgetPercent, 0, 0, 0, 0, 0, 0);
    }
}
