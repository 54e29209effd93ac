package dev.steadfast;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "dev.steadfast", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule THE_CORE_IS_PLAIN_JAVA =
      classes()
          .that()
          .resideInAPackage("dev.steadfast.core")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.steadfast.core",
              "java.lang..",
              "java.math",
              "java.nio",
              "java.security",
              "java.util..");

  @ArchTest
  static final ArchRule THE_CORE_READS_NO_CLOCK =
      noClasses()
          .that()
          .resideInAPackage("dev.steadfast.core")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  @ArchTest
  static final ArchRule ONLY_STORES_SPEAK_SQL =
      noClasses()
          .that()
          .haveSimpleNameNotEndingWith("Store")
          .and()
          .resideOutsideOfPackages(
              "dev.steadfast.database", "dev.steadfast.dev", "dev.steadfast.start")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.sql", "javax.sql");

  @ArchTest
  static final ArchRule NO_CALL_GOES_BACK_UP =
      noClasses()
          .that()
          .haveSimpleNameEndingWith("Store")
          .or()
          .haveSimpleNameEndingWith("Transaction")
          .should()
          .dependOnClassesThat()
          .haveSimpleNameEndingWith("Resource")
          .orShould()
          .dependOnClassesThat()
          .resideInAPackage("jakarta.ws.rs..");

  @ArchTest
  static final ArchRule NOTHING_REFLECTS =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.lang.reflect")
          .orShould()
          .callMethod(Class.class, "forName", String.class);

  @ArchTest
  static final ArchRule NOBODY_NEEDS_THE_EMBEDDED_DATABASE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.steadfast.dev")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.steadfast.dev", "io.zonky..");
}
