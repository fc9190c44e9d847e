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
package org.hadoopmpsr.namenode.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.PlanPart;
import org.hadoopmpsr.namenode.index.LocatedFile;

/**
 * A file of a plan.
 *
 * @param group the group that the file is of
 */
record PlannedFile(String group, LocatedFile file) {

    /**
     * The files of a plan for which a condition holds, in the order of the plan.
     *
     * @param files all files of the plan, in the order of the plan
     * @param condition of a group and a file
     */
    static List<PlannedFile> those(Plan plan, List<LocatedFile> files, BiPredicate<String, LocatedFile> condition) {
        List<PlannedFile> those = new ArrayList<>();
        int next = 0;
        for (PlanPart part : plan.parts()) {
            for (int i = 0; i < part.files().size(); i++) {
                LocatedFile file = files.get(next++);
                if (condition.test(part.group(), file)) {
                    those.add(new PlannedFile(part.group(), file));
                }
            }
        }
        return those;
    }
}
