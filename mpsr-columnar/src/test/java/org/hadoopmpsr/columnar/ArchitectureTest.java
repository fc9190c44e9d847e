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
package org.hadoopmpsr.columnar;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "org.hadoopmpsr", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule WHO_BRINGS_THE_RECORDS_AND_WHO_KEEPS_THE_FILES_IS_UNKNOWN = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.columnar..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hadoopmpsr.blockmanager..",
                    "org.hadoopmpsr.client..",
                    "org.hadoopmpsr.ingest..",
                    "org.hadoopmpsr.namenode..",
                    "org.hadoopmpsr.spark..",
                    "org.apache.hadoop.fs..",
                    "org.apache.hadoop.hdfs..",
                    "org.apache.kafka..",
                    "org.apache.spark..");

    @ArchTest
    static final ArchRule BUFFER_AND_LAYOUT_KNOW_NO_FILES = noClasses()
            .that()
            .resideInAnyPackage("org.hadoopmpsr.columnar.buffer..", "org.hadoopmpsr.columnar.layout..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.hadoop..", "org.apache.parquet..");

    @ArchTest
    static final ArchRule NO_CIRCLE_OF_PACKAGES =
            slices().matching("org.hadoopmpsr.(**)").should().beFreeOfCycles();

    @ArchTest
    static void packagesHoldAtMostTwentyClasses(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                        .collect(groupingBy(JavaClass::getPackageName, counting())))
                .isNotEmpty()
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(20));
    }
}
