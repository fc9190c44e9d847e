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
package org.hadoopmpsr.namenode;

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
import java.time.Instant;
import org.apache.hadoop.util.Time;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.slf4j.LoggerFactory;

@AnalyzeClasses(
        packages = {
            "org.hadoopmpsr.namenode",
            "org.hadoopmpsr.balancer",
            "org.apache.hadoop.hdfs.server.namenode",
            "org.apache.hadoop.ipc"
        },
        importOptions = {ImportOption.DoNotIncludeTests.class, ImportOption.DoNotIncludeJars.class})
class ArchitectureTest {
    @ArchTest
    static final ArchRule THE_NAMENODE_KNOWS_NO_WRITER_AND_NO_ENGINE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.hadoopmpsr.ingest..",
                    "org.hadoopmpsr.spark..",
                    "org.hadoopmpsr.client.cli..",
                    "org.apache.kafka..",
                    "org.apache.spark..",
                    "org.apache.parquet..");

    @ArchTest
    static final ArchRule THE_BRIDGE_ONLY_OPENS_HADOOP = noClasses()
            .that()
            .resideInAPackage("org.apache.hadoop..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hadoopmpsr..");

    /** In the NameNode's process nothing may clash with what Hadoop ships. */
    @ArchTest
    static final ArchRule NO_OTHER_LIBRARY = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "com.fasterxml.jackson.databind..", "com.google.common..", "com.google.protobuf..", "picocli..");

    /** Of Hadoop's own Jackson, of which all versions have the streams. */
    @ArchTest
    static final ArchRule JSON_IS_OF_THE_HTTP_API = noClasses()
            .that()
            .resideOutsideOfPackage("org.hadoopmpsr.namenode.http")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.fasterxml..");

    @ArchTest
    static final ArchRule NO_CIRCLE_OF_PACKAGES =
            slices().matching("org.hadoopmpsr.(**)").should().beFreeOfCycles();

    /** Each part takes what it uses, or all parts depend on each other. */
    @ArchTest
    static final ArchRule ONLY_THE_WIRING_KNOWS_ALL_PARTS = noClasses()
            .that()
            .doNotHaveSimpleName("Mpsr")
            .and()
            .doNotHaveSimpleName("Wiring")
            .and()
            .doNotHaveSimpleName("MpsrPlugin")
            .and()
            .doNotHaveSimpleName("MpsrService")
            .and()
            .doNotHaveSimpleName("Protocols")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.hadoopmpsr.namenode.Mpsr");

    /** The records tell it of each change, or a change that forgets it misplaces blocks. */
    @ArchTest
    static final ArchRule NO_CHANGE_PUBLISHES_THE_PLACEMENT_ITSELF = noClasses()
            .that()
            .resideOutsideOfPackage("org.hadoopmpsr.namenode")
            .should()
            .callMethod(Placement.class, "publish");

    /** Tests put the clock forward instead of waiting. The times of directories are HDFS's own. */
    @ArchTest
    static final ArchRule TIME_COMES_FROM_THE_ONE_CLOCK = noClasses()
            .that()
            .resideInAPackage("org.hadoopmpsr.namenode..")
            .and()
            .doNotHaveSimpleName("DirectoryLook")
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Instant.class, "now")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Time.class);

    /** Messages are translated where calls come in; what is stored are messages too. */
    @ArchTest
    static final ArchRule THE_PARTS_KNOW_NO_MESSAGES = noClasses()
            .that()
            .resideInAnyPackage(
                    "org.hadoopmpsr.namenode.commit",
                    "org.hadoopmpsr.namenode.copies",
                    "org.hadoopmpsr.namenode.exchange",
                    "org.hadoopmpsr.namenode.ha",
                    "org.hadoopmpsr.namenode.health",
                    "org.hadoopmpsr.namenode.index",
                    "org.hadoopmpsr.namenode.metrics",
                    "org.hadoopmpsr.namenode.nodes",
                    "org.hadoopmpsr.namenode.plan",
                    "org.hadoopmpsr.namenode.rebalance",
                    "org.hadoopmpsr.namenode.rights",
                    "org.hadoopmpsr.namenode.status")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.hadoopmpsr.client.proto..");

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
