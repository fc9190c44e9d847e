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
package org.hadoopmpsr.mapreduce;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.DataInputStream;
import java.io.IOException;
import org.slf4j.LoggerFactory;

@AnalyzeClasses(packages = "org.hadoopmpsr.mapreduce", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule JOBS_NEED_NO_SERVER = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hadoopmpsr.blockmanager..",
                    "org.hadoopmpsr.namenode..",
                    "org.hadoopmpsr.ingest..",
                    "org.hadoopmpsr.spark..",
                    "org.hadoopmpsr.client.cli..",
                    "org.apache.hadoop.hdfs.server..",
                    "org.apache.hadoop.yarn..");

    /** Only the job's class loader may know Parquet. */
    @ArchTest
    static final ArchRule WHAT_HADOOP_LOADS_LINKS_TO_NO_PARQUET = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.mapreduce")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.parquet..", "org.apache.avro..", "org.hadoopmpsr.mapreduce.job..");

    /** Which tasks load whatever the job's Parquet is. */
    @ArchTest
    static final ArchRule TASKS_LINK_TO_PARQUET_ONLY_WHEN_A_FILE_IS_LOST = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.mapreduce.degraded")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.apache.parquet..",
                    "org.apache.avro..",
                    "org.hadoopmpsr.columnar..",
                    "org.hadoopmpsr.mapreduce.job..");

    @ArchTest
    static final ArchRule WHAT_TASKS_LOAD_FIRST_NEEDS_NOTHING_ELSE_OF_MPSR = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.mapreduce.task")
            .should()
            .dependOnClassesThat(resideInAPackage("org.hadoopmpsr..")
                    .and(DescribedPredicate.not(resideInAPackage("org.hadoopmpsr.mapreduce.task"))));

    /** Class files of version 52, which tasks on Java 8 can load. */
    @ArchTest
    static void whatTasksLoadFirstIsOfJava8(JavaClasses classes) throws IOException {
        int checked = 0;
        for (JavaClass each : classes) {
            if (each.getPackageName().equals("org.hadoopmpsr.mapreduce.task")) {
                try (DataInputStream in = new DataInputStream(
                        each.getSource().orElseThrow().getUri().toURL().openStream())) {
                    in.readInt();
                    in.readUnsignedShort();
                    assertThat(in.readUnsignedShort()).as(each.getName()).isEqualTo(52);
                    checked++;
                }
            }
        }
        assertThat(checked).isGreaterThan(5);
    }

    @ArchTest
    static final ArchRule NO_CIRCLE_OF_PACKAGES =
            slices().matching("org.hadoopmpsr.(**)").should().beFreeOfCycles();

    /** {@code PrintableLog} writes names of others in printable form. */
    @ArchTest
    static final ArchRule NO_LOGGER_OF_ITS_OWN =
            noClasses().should().dependOnClassesThat().areAssignableTo(LoggerFactory.class);

    @ArchTest
    static void packagesHoldAtMostTwentyClasses(JavaClasses classes) {
        assertThat(classes.stream()
                        .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                        .collect(groupingBy(JavaClass::getPackageName, counting())))
                .isNotEmpty()
                .allSatisfy((name, size) -> assertThat(size).as(name).isLessThanOrEqualTo(20));
    }
}
