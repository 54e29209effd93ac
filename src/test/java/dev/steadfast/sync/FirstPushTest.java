package dev.steadfast.sync;

import static io.restassured.RestAssured.given;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class FirstPushTest {
  @Test
  void smoke() {
    String token = given().get("/dev/token?sub=anya").then().log().all().extract().asString();
    given()
        .auth()
        .oauth2(token)
        .contentType("application/json")
        .body(
            "{\"batch\":[{\"opId\":\"A:1\",\"rowId\":\"A-1\",\"at\":1,\"fields\":{\"exercise\":\"жим\",\"weightKg\":80,\"reps\":500}}]}")
        .post("/sync/push")
        .then()
        .log()
        .all();
    given().auth().oauth2(token).get("/sync/limits").then().log().all();
    given().get("/sync/limits").then().log().all();
    given().get("/nothing").then().log().all();
    given().auth().oauth2("bad").get("/sync/limits").then().log().all();
    given().auth().oauth2(token).put("/sync/limits").then().log().all();
    given()
        .auth()
        .oauth2(token)
        .contentType("text/plain")
        .body("x")
        .post("/sync/push")
        .then()
        .log()
        .all();
    given()
        .auth()
        .oauth2(token)
        .accept("text/html")
        .contentType("application/json")
        .body("x")
        .post("/sync/push")
        .then()
        .log()
        .all();
    given()
        .auth()
        .oauth2(token)
        .contentType("application/json")
        .body(new byte[11_000_000])
        .post("/sync/push")
        .then()
        .log()
        .all();
    given().get("/q/health/ready").then().log().all();
    given().get("/q/health/started").then().log().all();
  }
}
